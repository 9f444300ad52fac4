-- levels/repeated_person
select count(*) as repeated
from (
    select 1 as one
    from `census`.`people`
    group by ((cast(`per son` as bigint) - -3) div 32)
    having count(*) > coalesce(cast(bit_count(bit_or(shiftleft(1L, int((cast(`per son` as bigint) - -3) % 32)))) as bigint), 1)
    limit 1
) as persons
