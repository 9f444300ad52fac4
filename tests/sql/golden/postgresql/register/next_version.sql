-- register/next_version
select coalesce(max(version), 0) + 1 as version
from "kanon"."releases"
where job = 'release.people'
