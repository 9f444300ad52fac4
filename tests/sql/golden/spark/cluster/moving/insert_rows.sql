-- cluster/moving/insert_rows
insert into `kanon_work`.`r1_boxes`
select *
from `kanon_work`.`r1_new_boxes`
