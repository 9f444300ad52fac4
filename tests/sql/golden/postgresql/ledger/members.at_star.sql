-- ledger/members
create unlogged table "kanon_work"."r1_members" as
select distinct
    substr(encode(sha256(convert_to('salt' || cast(rows."id" as text), 'UTF8')), 'hex'), 1, 32) as person_key,
'all' as class_key
from "kanon_work"."r1_coded" as rows
where rows."id" is not null
