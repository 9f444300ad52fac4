-- ledger/record
insert into "kanon_ledger"."memberships" (job, version, person_key, class_key)
select distinct
    'release.people',
    7,
    person_key,
    class_key
from "kanon_work"."r1_members"
