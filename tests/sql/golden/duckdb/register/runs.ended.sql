-- register/runs
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
where 1 = 1
    and job = 'release.people'
    and "database" is null
    and (
        command = 'run' and status = 'published'
        or command = 'rollback' and status = 'done'
    )
order by
    started desc,
    id desc
limit 1
