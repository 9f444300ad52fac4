-- ledger/left
select count(distinct people.person_key) as persons
from "kanon_ledger"."people_0123456789ab" as people
join "kanon_ledger"."cells_0123456789ab" as cells on cells.cell = people.cell
    and cells.job = 'release.people'
    and cells.away = 0
left join "kanon_work"."r1_ledger_present" as present on present.person_key = people.person_key
    and (present.row_key = people.row_key or people.row_key = 0)
where present.person_key is null
