-- ledger/members
create unlogged table "kanon_work"."r1_members" as
select distinct
    substr(encode(sha256(convert_to('sa''lt' || cast(rows."id" as text), 'UTF8')), 'hex'), 1, 32) as person_key,
cast(rows.kanon_q0_1 as text) as class_key
    , rows."diagnosis" as s0
from "kanon_work"."r1_coded" as rows
left join "kanon_work"."r1_violating" as violating on 1 = 1
    and violating.key0 = rows.kanon_q0_1
where rows."id" is not null
    and violating.key0 is null
