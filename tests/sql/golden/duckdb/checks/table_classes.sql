-- checks/table_classes
select
    coalesce(min(c), 0) as min_class,
    count(*) as classes,
    coalesce(sum(n), 0) as rows,
    coalesce(sum(case when c = 1 then n else 0 end), 0) as unique_rows,
    coalesce(sum(case when c < 5 then n else 0 end), 0) as rows_below
from (
    select
count(distinct "person") as c,
        count(*) as n
    from "census"."people"
    group by
        "age",
        "se x"
) as classes
