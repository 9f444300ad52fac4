-- kept/raw
create table "kanon_work"."r1_raw" as
select
    v0,
    s0,
    cast(sum(n) as bigint) as n
from "kanon_work"."kept_1_2"
group by
    v0,
    s0
