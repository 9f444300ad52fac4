-- ledger/tops
select
    coalesce(max(cell), 0) as cell,
    coalesce(max(trail), 0) as trail
from "kanon_ledger"."cells_0123456789ab"
