-- nights/keep
create table "kanon_ledger"."groups_1_2_members_v7" as
select *
from "kanon_work"."r1_night_members"
