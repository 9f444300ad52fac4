-- levels/raw
create table "kanon_work"."r1_raw" as
select
    "age" as v0,
    "in""come" as v1,
    count(*) as n
from "census"."people"
group by
    "age",
    "in""come"
