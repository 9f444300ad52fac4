-- checks/table_rows
select count(*) as rows
from "kanon_work"."r1_raw"
