-- register/running
select
    "id",
    "job",
    "command",
    "status",
    "started",
    "ended",
    "account",
    "host",
    "pid",
    "program",
    "engine",
    "algorithm",
    "parameters",
    "node",
    "figures",
    "timings",
    "error"
from "kanon"."runs"
where job = 'j'
    and "database" = 'duckdb /a.duckdb'
    and status = 'running'
order by
    started desc,
    id desc
