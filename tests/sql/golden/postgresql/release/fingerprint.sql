-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(hashtextextended(cast(row(age, cast(pay as text)) as text), 0) as numeric)), 0) as digest
from "census"."people"
