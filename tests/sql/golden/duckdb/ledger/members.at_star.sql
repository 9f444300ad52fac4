-- ledger/members
create table "kanon_work"."r1_members" as
select distinct
    substr(sha256('salt' || cast(rows."id" as varchar)), 1, 32) as person_key,
'all' as class_key
from "kanon_work"."r1_coded" as rows
where rows."id" is not null
