-- release/guard_rare_values
select
    0 as place,
    coalesce(sum(case when n < 5 then n else 0 end), 0) as below,
    coalesce(sum(case when n = 1 then 1 else 0 end), 0) as unique_rows,
    count(*) as combinations,
    coalesce(sum(n), 0) as rows
from (
    select count(*) as n
    from `release`.`people__v1`
    group by `visits`
) as counted
union all
select
    1 as place,
    coalesce(sum(case when n < 5 then n else 0 end), 0) as below,
    coalesce(sum(case when n = 1 then 1 else 0 end), 0) as unique_rows,
    count(*) as combinations,
    coalesce(sum(n), 0) as rows
from (
    select count(*) as n
    from `release`.`people__v1`
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`
) as counted
