-- doctor/may_write
select has_table_privilege('"kanon"."runs"', 'INSERT') and has_table_privilege('"kanon"."runs"', 'UPDATE') as may
