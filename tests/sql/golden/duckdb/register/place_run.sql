-- register/place_run
update "kanon"."runs"
set "database" = 'duckdb /a.duckdb'
where "id" = 'r1'
    and "database" is null
