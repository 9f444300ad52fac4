-- ledger/left
select count(distinct gone.person_key) as persons
from `kanon_work`.`r1_ledger_present` as gone
join `kanon_ledger`.`cells_0123456789ab` as cells on cells.cell = gone.cell
    and cells.job = 'release.people'
    and cells.away = 0
left join (
    select distinct person_key
    from `kanon_work`.`r1_ledger_present`
    where class is not null
) as still on still.person_key = gone.person_key
    and gone.row_key = 0
where gone.class is null
    and still.person_key is null
