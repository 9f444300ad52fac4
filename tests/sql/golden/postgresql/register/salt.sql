-- register/salt
select salt
from "kanon"."salts"
where job = 'release.people'
