-- doctor/may_create
select
    count(n.oid) > 0 as there,
    case
        when count(n.oid) > 0 then coalesce(bool_or(has_schema_privilege(n.oid, 'USAGE') and has_schema_privilege(n.oid, 'CREATE')), false)
        else has_database_privilege(current_database(), 'CREATE')
    end as may
from pg_namespace as n
where n.nspname = 'kanon'
