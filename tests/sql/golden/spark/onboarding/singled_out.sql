-- onboarding/singled_out
select
    0 as number,
    count(*) as classes,
    sum(case when n = 1 then 1 else 0 end) as unique_rows
from (
    select count(*) as n
    from (
        select
            `age`
        from `census`.`people`
        limit 100
    ) as read_rows
    group by `age`
) as classes_0
union all
select
    1 as number,
    count(*) as classes,
    sum(case when n = 1 then 1 else 0 end) as unique_rows
from (
    select count(*) as n
    from (
        select
            `age`, `sex`
        from `census`.`people`
        limit 100
    ) as read_rows
    group by `age`, `sex`
) as classes_1
order by number
