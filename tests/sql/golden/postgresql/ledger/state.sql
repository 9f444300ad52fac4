-- ledger/state
select
    count(*) as entries,
    coalesce(sum(cast(person_key % 1000003 * (cell % 1000003 + 1) + row_key % 1000003 as decimal(38, 0))), 0) as checksum,
    coalesce(max(row_key), 0) as greatest_row
from "kanon_ledger"."people_0123456789ab"
