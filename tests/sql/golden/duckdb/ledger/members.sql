-- ledger/members
create table "kanon_work"."r1_members" as
select distinct
    substr(sha256('sa''lt' || cast(rows."id" as varchar)), 1, 32) as person_key,
cast(rows.kanon_q0_1 as varchar) as class_key
    , rows."diagnosis" as s0
from "kanon_work"."r1_coded" as rows
left join "kanon_work"."r1_violating" as violating on 1 = 1
    and violating.key0 = rows.kanon_q0_1
where rows."id" is not null
    and violating.key0 is null
