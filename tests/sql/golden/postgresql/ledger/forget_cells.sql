-- ledger/forget_cells
delete from "kanon_ledger"."cells_0123456789ab" as cells
using "kanon_work"."r1_ledger_cells" as changed
where changed.cell = cells.cell
    and changed.job = cells.job
