-- cluster/growing/still_free
create table `kanon_work`.`r1_made` as
select free.*
from `kanon_work`.`r1_free_rows` as free
left join `kanon_work`.`r1_grown` as joined on joined.rid = free.rid and joined.turn = 3 and joined.n = 2
where joined.rid is null
