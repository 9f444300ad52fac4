-- evaluate/size_histogram
select
    n as size,
    count(*) as classes
from (
    select count(*) as n
    from `release`.`people`
    group by
        `age`,
        `to wn`
) as classes
group by n
order by n
