-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(xxhash64(`age`, `na"me`) as decimal(38, 0))), 0) as digest
from `census`.`people`
