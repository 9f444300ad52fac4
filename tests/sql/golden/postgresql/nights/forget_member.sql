-- nights/forget_member
delete from "kanon_ledger"."groups_1_2_members_v7"
where person_key = 7
