-- ledger/person_entries
select distinct
    people.cell,
    cells.job,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    cells.away
from `kanon_ledger`.`people_0123456789ab` as people
left join `kanon_ledger`.`cells_0123456789ab` as cells on cells.cell = people.cell
where people.person_key = cast(conv(substr(sha2('sa\'lt' || cast('o\'neil' as string), 256), 1, 15), 16, 10) as bigint)
