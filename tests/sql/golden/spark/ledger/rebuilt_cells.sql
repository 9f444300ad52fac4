-- ledger/rebuilt_cells
create table `census`.`people` as
select
    cells.cell,
    cells.job,
    cells.trail,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    cells.away
from `kanon_ledger`.`cells_0123456789ab` as cells
left join `kanon_work`.`r1_ledger_cells` as changed on changed.cell = cells.cell
    and changed.job = cells.job
where changed.cell is null
union all
select
    cell,
    job,
    trail,
    class_key,
    recoding,
    since,
    gap,
    away
from `kanon_work`.`r1_ledger_cells`
