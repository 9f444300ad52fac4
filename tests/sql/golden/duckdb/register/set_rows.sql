-- register/set_rows
update "kanon"."releases"
set row_count = 90
where job = 'rel.t'
    and version = 3
    and "database" = 'duckdb /a.duckdb'
