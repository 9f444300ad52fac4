-- ledger/nameless
select count(*) as nameless
from (
    select 1 as one
    from `census`.`people`
    where `id` is null
    limit 1
) as nameless
