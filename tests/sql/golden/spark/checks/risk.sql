-- checks/risk
select
    coalesce(sum(n), 0) as rows,
    count(*) as classes,
    coalesce(sum(c), 0) as sizes,
    coalesce(min(c), 0) as smallest,
    coalesce(sum(case when c = 1 then n else 0 end), 0) as unique_rows,
    coalesce(sum(case when c * cast('0.09' as double) < 1 - 1e-9 then n else 0 end), 0) as above
from (
    select
count(*) as c,
        count(*) as n
    from `release`.`people__v1`
    group by
        `age`,
        `income`,
        `bmi`,
        `seen`,
        `zip`,
        `race`
) as classes
