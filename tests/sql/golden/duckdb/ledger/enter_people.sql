-- ledger/enter_people
insert into "kanon_ledger"."people_0123456789ab" (person_key, row_key, cell, waiting)
select
    person_key,
    row_key,
    cell,
    waiting
from "kanon_work"."r1_ledger_people"
where cell is not null
