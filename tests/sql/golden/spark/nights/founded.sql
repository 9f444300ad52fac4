-- nights/founded
create table `kanon_work`.`r1_night_founded` as
select distinct
    units.origin as rid,
    accepted.g
from `kanon_work`.`r1_assignment_1` as assigned
join `kanon_work`.`r1_night_waiting_units` as units on units.rid = assigned.rid
join `kanon_work`.`r1_night_accepted` as accepted on accepted.found = assigned.g
union all
select distinct
    units.origin as rid,
    accepted.g
from `kanon_work`.`r1_split_assignment_1` as assigned
join `kanon_work`.`r1_night_waiting_units` as units on units.rid = assigned.rid
join `kanon_work`.`r1_split` as accepted on accepted.found = assigned.g
