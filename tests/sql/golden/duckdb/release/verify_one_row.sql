-- release/verify_one_row
select
    count(*) as rows,
    count(distinct "per son") as persons
from "census"."people"
