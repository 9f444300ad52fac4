-- checks/frequency_sets
select
    node,
    min(c) as min_class,
    count(*) as classes,
    sum(case when c < 5 or distinct_0 < 3 or ordered_distance_0 > 0.2 or population < 9 then n else 0 end) as suppressed,
    floor(sum(case when c < 5 or distinct_0 < 3 then n else greatest(0, n * (ordered_distance_0 - 0.2) / 0.8) end)) as below_k,
    coalesce(min(case when c < 5 or distinct_0 < 3 or ordered_distance_0 > 0.2 or population < 9 then null else c end), 0) as k,
    sum(case when c < 5 or distinct_0 < 3 or ordered_distance_0 > 0.2 or population < 9 then 0 else 1 end) as kept_classes
    , coalesce(sum(case when c < 5 or distinct_0 < 3 or ordered_distance_0 > 0.2 or population < 9 then 0 else n * n end), 0) as squares
from (
    select
        0 as node,
        domain_0.n as c,
        domain_0.n as n
        , values_0.distinct_0
        , values_0.tail_0
        , values_0.hierarchical_distance_0
        , domain_0.ordered_distance_0
        , coalesce(population.n, 0) as population
    from (
    select
        key0,

        sum(m) as n
        , sum(abs(f)) / (count(*) - 1) as ordered_distance_0
    from (
        select
        named.key0,

            whole.code as s,
            coalesce(spread.m, 0) as m,
            sum(coalesce(spread.m, 0) / named.n - cast(whole.n as double) / 1000) over (
                partition by named.key0 order by whole.code rows unbounded preceding
            ) as f
        from (
            select
        cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint) as key0,

                sum(n) as n
            from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint)

        ) as named
        cross join "kanon_work"."r1_sensitive_0" as whole
        left join (
        select
        cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint) as key0,

            s0 as s,
            cast(sum(n) as double) as m
        from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint), s0

        ) as spread on 1 = 1
        and spread.key0 = named.key0

            and spread.s = whole.code

    ) as values_of_class
    group by key0

    ) as domain_0
    join (
    select
        key0,

        sum(m) as n
        , count(*) as distinct_0
        , sum(case when r >= 3 then m else 0 end) as tail_0
        , (sum(abs(m / n - p)) + sum(gp1 * m / gm1)) / 4 as hierarchical_distance_0
    from (
        select
        spread.key0,

            spread.s as s,
            spread.m as m
            , sum(spread.m) over (partition by key0) as n
            , row_number() over (partition by key0 order by spread.m desc, spread.s) as r
            , cast(whole.n as double) / 1000 as p
            , sum(spread.m) over (partition by key0, hierarchy.g1) as gm1
            , hierarchy.gp1 as gp1
        from (
        select
        cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint) as key0,

            s0 as s,
            cast(sum(n) as double) as m
        from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint), s0

        ) as spread
        join "kanon_work"."r1_sensitive_0" as whole on whole.code = spread.s
        join "kanon_work"."r1_sensitive_hierarchy_0" as hierarchy on hierarchy.code = spread.s

    ) as values_of_class
    group by key0

    ) as values_0 on 1 = 1
        and values_0.key0 = domain_0.key0

    left join (
        select
        cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint) as key0,

            sum(n) as n
        from "kanon_work"."r1_population"
        group by cast(q0_1 + q1_1 * 15 + q2_2 * 4500 + q3_2 * 13500 + q4_1 * 324000 + q5_1 * 2916000 as bigint)


    ) as population on 1 = 1
        and population.key0 = domain_0.key0



) as classes
group by node
