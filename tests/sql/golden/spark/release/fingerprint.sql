-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(xxhash64(age, age is null, cast(pay as string), cast(pay as string) is null) as decimal(38, 0))), 0) as digest
from `census`.`people`
