-- evaluate/workload_parts
create table `kanon_work`.`r1_workload_parts_0` as
select 0 as query, 0 as attribute, 0 as level, 3 as first_code, 9 as last_code
union all select 1, 0, 1, 2, 2
