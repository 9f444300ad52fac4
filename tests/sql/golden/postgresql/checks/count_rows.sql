-- checks/count_rows
select
    count(*) as combinations,
    coalesce(sum(n), 0) as rows
from "kanon_work"."r1_raw"
