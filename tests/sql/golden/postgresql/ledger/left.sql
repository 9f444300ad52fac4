-- ledger/left
select count(distinct person_key) as persons
from "kanon_work"."r1_ledger_people"
where kind = 'left'
