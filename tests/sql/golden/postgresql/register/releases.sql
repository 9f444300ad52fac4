-- register/releases
select
    "job",
    "version",
    "run",
    "release_table",
    "release_view",
    "row_count",
    "k",
    "published",
    "state",
    "database",
    "mark"
from "kanon"."releases"
where 1 = 1
    and job = 'j'
    and "database" is null
    and run = 'r1'
    and state = 'current'
order by
    published desc,
    version desc
