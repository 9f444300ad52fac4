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
where people.person_key = cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || cast('o''neil' as text), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint)
