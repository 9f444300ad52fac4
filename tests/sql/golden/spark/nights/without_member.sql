-- nights/without_member
create table `kanon_work`.`r1_night_members` as
select *
from `kanon_ledger`.`groups_1_2_members_v7`
where person_key <> 7
