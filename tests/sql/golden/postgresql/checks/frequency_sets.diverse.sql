-- checks/frequency_sets
select
    node,
    min(c) as min_class,
    count(*) as classes,
    sum(case when c < 5 or distinct_0 < 3 then n else 0 end) as suppressed,
    floor(sum(case when c < 5 then n else 0 end)) as below_k,
    coalesce(min(case when c < 5 or distinct_0 < 3 then null else c end), 0) as k,
    sum(case when c < 5 or distinct_0 < 3 then 0 else 1 end) as kept_classes
    , coalesce(sum(case when c < 5 or distinct_0 < 3 then 0 else n * n end), 0) as squares
from (
    select
        0 as node,
        values_0.n as c,
        values_0.n as n
        , values_0.distinct_0
    from (
    select
        key0,

        sum(m) as n
        , count(*) as distinct_0
    from (
        select
        spread.key0,

            spread.s as s,
            spread.m as m
        from (
        select
        cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,

            s0 as s,
            cast(sum(n) as double precision) as m
        from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint), s0

        ) as spread

    ) as values_of_class
    group by key0

    ) as values_0

union all
    select
        1 as node,
        values_0.n as c,
        values_0.n as n
        , values_0.distinct_0
    from (
    select

        sum(m) as n
        , count(*) as distinct_0
    from (
        select

            spread.s as s,
            spread.m as m
        from (
        select

            s0 as s,
            cast(sum(n) as double precision) as m
        from "kanon_work"."r1_base"
        group by s0

        ) as spread

    ) as values_of_class

    ) as values_0


) as classes
group by node
