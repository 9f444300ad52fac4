-- ledger/enter_cells
insert into "kanon_ledger"."cells_0123456789ab" (cell, job, trail, class_key, recoding, since, gap, away)
select
    cell,
    job,
    trail,
    class_key,
    recoding,
    since,
    gap,
    away
from "kanon_work"."r1_ledger_cells"
