-- doctor/time_zone
select reset_val as time_zone
from pg_settings
where name = 'TimeZone'
