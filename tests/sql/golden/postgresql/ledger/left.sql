-- ledger/left
select count(distinct gone.person_key) as persons
from "kanon_work"."r1_ledger_present" as gone
join "kanon_ledger"."cells_0123456789ab" as cells on cells.cell = gone.cell
    and cells.job = 'release.people'
    and cells.away = 0
where gone.class is null
