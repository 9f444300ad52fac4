-- kept/create
create unlogged table "kanon_work"."kept_1_2" as
select
    floor(id / 10) as part,
    "age" as v0,
    "diag'nosis" as s0,
    count(*) as n
from "census"."people"
where 1 = 0
group by
    floor(id / 10)
    , "age"
    , "diag'nosis"
