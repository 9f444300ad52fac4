-- cluster/limits/with_withheld_rows
create table `kanon_work`.`r1_made` as
select
    rows.rid,
    assigned.g
from `kanon_work`.`r1_rows` as rows
left join `kanon_work`.`r1_assignment` as assigned on assigned.rid = rows.rid
