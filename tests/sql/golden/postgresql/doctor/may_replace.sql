-- doctor/may_replace
select coalesce(bool_and(pg_has_role(c.relowner, 'USAGE')), true) as may
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'release'
    and c.relname = 'people'
