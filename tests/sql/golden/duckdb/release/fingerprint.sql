-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(hash("age", "na""me") as hugeint)), 0) as digest
from "census"."people"
