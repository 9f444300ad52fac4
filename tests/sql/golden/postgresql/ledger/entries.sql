-- ledger/entries
select
    version,
    count(*) as entries
from "kanon_ledger"."memberships"
where job = 'release.people'
group by version
order by version
