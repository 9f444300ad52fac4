-- register/lock
select pg_advisory_xact_lock(hashtext('kanon_sql register')) is null as locked
