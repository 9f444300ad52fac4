-- ledger/remembered
select
    version,
    recoding,
    salt_digest
from "kanon_ledger"."releases"
where job = 'release.people'
order by version
