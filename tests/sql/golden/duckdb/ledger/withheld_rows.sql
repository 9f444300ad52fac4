-- ledger/withheld_rows
select coalesce(sum("kanon_n"), 0) as rows
from "kanon_work"."r1_ledger_withheld"
