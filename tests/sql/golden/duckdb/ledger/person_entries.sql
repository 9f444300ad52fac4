-- ledger/person_entries
select distinct
    people.cell,
    cells.job,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    cells.away
from "kanon_ledger"."people_0123456789ab" as people
left join "kanon_ledger"."cells_0123456789ab" as cells on cells.cell = people.cell
where people.person_key = cast('0x' || left(sha256('sa''lt' || cast('o''neil' as varchar)), 15) as bigint)
