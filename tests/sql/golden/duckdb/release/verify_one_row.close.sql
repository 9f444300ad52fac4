-- release/verify_one_row
select
    sum(n) as rows,
    sum(persons) as persons
from (
    select
        count(*) as n,
        coalesce(cast(bit_count(bit_or((cast(1 as bigint) << cast((cast("per son" as bigint) - -7) % 32 as integer)))) as bigint), 0) as persons
    from "census"."people"
    group by ((cast("per son" as bigint) - -7) // 32)
) as keys
