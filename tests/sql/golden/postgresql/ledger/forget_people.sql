-- ledger/forget_people
delete from "kanon_ledger"."people_0123456789ab" as people
using "kanon_work"."r1_ledger_people" as changed
where changed.person_key = people.person_key
    and changed.row_key = people.row_key
