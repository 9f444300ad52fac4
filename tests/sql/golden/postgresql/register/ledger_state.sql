-- register/ledger_state
select
    sequence,
    entries,
    checksum,
    how,
    run
from "kanon"."ledgers"
where "database" = 'duckdb /a.duckdb'
    and scope = '0123456789ab'
order by
    sequence desc,
    recorded desc
limit 1
