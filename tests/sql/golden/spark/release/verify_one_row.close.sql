-- release/verify_one_row
select
    sum(n) as rows,
    sum(persons) as persons
from (
    select
        count(*) as n,
        coalesce(cast(bit_count(bit_or(shiftleft(1L, int((cast(`per son` as bigint) - -7) % 32)))) as bigint), 0) as persons
    from `census`.`people`
    group by ((cast(`per son` as bigint) - -7) div 32)
) as keys
