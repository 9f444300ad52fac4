-- nights/live_groups
create table `kanon_work`.`r1_night_live` as
select
    before as g,
    count(distinct case when founder = 1 then person_key end) as founders,
    sum(founder) as rows_left
from `kanon_work`.`r1_night_placed`
where fate = 'stayed'
group by before
having count(distinct case when founder = 1 then person_key end) >= 10
