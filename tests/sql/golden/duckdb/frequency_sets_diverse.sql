-- checks/frequency_sets
select
    0 as node,
    min(c) as min_class,
    count(*) as classes,
    coalesce(sum(case when c < 5 or distinct_0 < 3 then n else 0 end), 0) as suppressed,
    coalesce(sum(case when c < 5 then n else 0 end), 0) as below_k,
    coalesce(min(case when c < 5 or distinct_0 < 3 then null else c end), 0) as k,
    coalesce(sum(case when c < 5 or distinct_0 < 3 then 0 else 1 end), 0) as kept_classes
    , coalesce(sum(case when c < 5 or distinct_0 < 3 then 0 else n * n end), 0) as squares
from (
    select
        sized.c,
        sized.n
        , sensitive_0.distinct_0
    from (
        select
            q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000 as key0,
            sum(n) as c,
            sum(n) as n
        from "kanon_work"."r1_base"
        group by q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000
    ) as sized
    join (
        select
            key0,
            count(*) as distinct_0
        from (
            select
                key0,
                spread.s as s,
                spread.m as m,
                sum(spread.m) over (partition by key0) as n,
                cast(whole.n as double) / 1000 as p
            from (
                select
                    q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000 as key0,
                    s0 as s,
                    sum(n) as m
                from "kanon_work"."r1_base"
                group by q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000, s0
            ) as spread
            join "kanon_work"."r1_sensitive_0" as whole on whole.code = spread.s
        ) as values_of_class
        group by key0
    ) as sensitive_0 on 1 = 1
        and sensitive_0.key0 = sized.key0

) as classes
union all
select
    1 as node,
    min(c) as min_class,
    count(*) as classes,
    coalesce(sum(case when c < 5 or distinct_0 < 3 then n else 0 end), 0) as suppressed,
    coalesce(sum(case when c < 5 then n else 0 end), 0) as below_k,
    coalesce(min(case when c < 5 or distinct_0 < 3 then null else c end), 0) as k,
    coalesce(sum(case when c < 5 or distinct_0 < 3 then 0 else 1 end), 0) as kept_classes
    , coalesce(sum(case when c < 5 or distinct_0 < 3 then 0 else n * n end), 0) as squares
from (
    select
        sized.c,
        sized.n
        , sensitive_0.distinct_0
    from (
        select
            sum(n) as c,
            sum(n) as n
        from "kanon_work"."r1_base"
    ) as sized
    join (
        select
            count(*) as distinct_0
        from (
            select
                spread.s as s,
                spread.m as m,
                sum(spread.m) over () as n,
                cast(whole.n as double) / 1000 as p
            from (
                select
                    s0 as s,
                    sum(n) as m
                from "kanon_work"."r1_base"
                group by s0
            ) as spread
            join "kanon_work"."r1_sensitive_0" as whole on whole.code = spread.s
        ) as values_of_class
    ) as sensitive_0 on 1 = 1

) as classes
