-- levels/repeated_person
select count(*) as repeated
from (
    select 1 as one
    from "census"."people"
    group by ((cast("per son" as bigint) - -3) / 32)
    having count(*) > coalesce(bit_count(cast(bit_or((cast(1 as bigint) << cast((cast("per son" as bigint) - -3) % 32 as integer))) as bit(64))), 1)
    limit 1
) as persons
