-- doctor/space
select case when c.relkind in ('r', 'm', 'p') then pg_table_size(c.oid) end as source_bytes
from pg_class as c
join pg_namespace as n on n.oid = c.relnamespace
where n.nspname = 'census'
    and c.relname = 'people'
