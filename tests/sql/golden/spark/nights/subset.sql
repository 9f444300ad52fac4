-- nights/subset
create table `kanon_work`.`r1_night_waiting_units` as
select
    cast(dense_rank() over (order by units.rid) as bigint) as rid,
    units.rid as origin
    , units.place
    , units.q0_0
    , units.n
from `kanon_work`.`r1_units` as units
join `kanon_work`.`r1_night_room` as chosen on chosen.rid = units.rid
