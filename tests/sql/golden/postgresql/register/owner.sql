-- register/owner
select
    source,
    file,
    run
from "kanon"."jobs"
where "database" = ''
    and target = 'release.people'
