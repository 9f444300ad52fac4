-- cluster/absorbing/suppressed_rows
select count(*) as rows
from "kanon_work"."r1_assignment"
where g is null
