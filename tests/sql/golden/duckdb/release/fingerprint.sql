-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(hash("age", cast("na""me" as varchar)) as hugeint)), 0) as digest
from "census"."people"
