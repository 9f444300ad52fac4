-- kept/refresh
insert into "kanon_work"."kept_1_2"
select
    floor(id / 10) as part,
    "age" as v0,
    "diag'nosis" as s0,
    count(*) as n
from "census"."people"
where floor(id / 10) in (1, 2)
group by
    floor(id / 10)
    , "age"
    , "diag'nosis"
