-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(hash(age, cast(pay as varchar)) as hugeint)), 0) as digest
from "census"."people"
