-- release/fingerprint
select
    count(*) as rows,
    coalesce(sum(cast(hashtextextended(coalesce(cast(cast(pay as text) as text), ''), hashtextextended(coalesce(cast(age as text), ''), 0 # cast(age is null as integer)) # cast(cast(pay as text) is null as integer)) as numeric)), 0) as digest
from "census"."people"
