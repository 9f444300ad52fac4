-- checks/frequency_sets
select
    node,
    min(c) as min_class,
    count(*) as classes,
    sum(case when c < 5 then n else 0 end) as suppressed,
    floor(sum(case when c < 5 then n else 0 end)) as below_k,
    coalesce(min(case when c < 5 then null else c end), 0) as k,
    sum(case when c < 5 then 0 else 1 end) as kept_classes
    , coalesce(sum(case when c < 5 then 0 else n * n end), 0) as squares
from (
    select
        0 as node,
        sum(n) as c,
        sum(n) as n
    from `kanon_work`.`r1_base`
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)



union all
    select
        1 as node,
        sum(n) as c,
        sum(n) as n
    from `kanon_work`.`r1_base`




) as classes
group by node
