-- levels/sensitive
create unlogged table "kanon_work"."r1_sensitive_0" as
select
    cast(row_number() over (order by value collate "C" nulls first) - 1 as integer) as code,
    value,
    cast(n as bigint) as n
from (
    select
        s0 as value,
        sum(n) as n
    from "kanon_work"."r1_raw"
    group by s0
) as counted
