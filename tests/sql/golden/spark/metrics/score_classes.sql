-- metrics/score_classes
select
    count(*) as classes,
    coalesce(sum(n), 0) as released,
    coalesce(min(n), 0) as smallest,
    coalesce(max(n), 0) as largest,
    cast(percentile_cont(0.5) within group (order by n) as double) as median,
    coalesce(sum(case when n between 1 and 1 then 1 else 0 end), 0) as size_0,
    coalesce(sum(case when n between 2 and 4 then 1 else 0 end), 0) as size_1,
    coalesce(sum(case when n between 5 and 9 then 1 else 0 end), 0) as size_2,
    coalesce(sum(case when n between 10 and 19 then 1 else 0 end), 0) as size_3,
    coalesce(sum(case when n between 20 and 99 then 1 else 0 end), 0) as size_4,
    coalesce(sum(case when n >= 100 then 1 else 0 end), 0) as size_5
    , cast(coalesce(sum(n * n), 0) as double) as squares
from (
    select
        sum(n) as n,
        max(n) as majority_of_target
    from `kanon_work`.`r1_workload_published`
    group by
        label_0,
        label_1
) as classes
