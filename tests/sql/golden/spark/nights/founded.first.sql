-- nights/founded
create table `kanon_work`.`r1_night_founded` as
select distinct
    assigned.rid as rid,
    accepted.g
from `kanon_work`.`r1_assignment_1` as assigned
join `kanon_work`.`r1_night_accepted` as accepted on accepted.found = assigned.g
