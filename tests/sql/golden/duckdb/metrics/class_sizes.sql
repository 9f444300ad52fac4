-- metrics/class_sizes
select
    count(*) as classes,
    coalesce(sum(c), 0) as rows,
    cast(coalesce(sum(c * c), 0) as double) as squares,
    min(c) as smallest,
    max(c) as largest,
    percentile_cont(0.5) within group (order by c) as median,
    coalesce(sum(majority), 0) as majority_rows
    , coalesce(sum(case when c >= 1 and c <= 1 then 1 else 0 end), 0) as size_1
    , coalesce(sum(case when c >= 100 then 1 else 0 end), 0) as size_100
from (
    select
        sum(n) as c,
        max(n) as majority
    from "kanon_work"."r1_workload_published"
    group by
        label_0,
        label_1
) as classes
