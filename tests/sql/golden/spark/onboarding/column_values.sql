-- onboarding/column_values
select
    value,
    sum(n) as row_count
from (
    select
        cast(`race` as string) as value,
        count(*) as n
    from `census`.`people`
    where `race` is not null
    group by `race`
) as counted
group by value
order by
    row_count desc,
    value nulls first
limit 1000
