-- nights/assigned
create table `kanon_work`.`r1_night_assigned` as
select
    placed.rid,
    live.g as g
from `kanon_work`.`r1_night_placed` as placed
left join `kanon_work`.`r1_night_live` as live on live.g = placed.before and placed.fate = 'stayed'
