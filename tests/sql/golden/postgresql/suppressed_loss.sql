-- checks/suppressed_loss
select
    0 as node,
    coalesce(sum(base.n * (cast('1.0' as double precision)
        - cast('0.5' as double precision) * c0.loss_1
        - cast('0.5' as double precision) * c1.loss_0
    )), 0) as extra
from (
    select
        q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000 as key0,
        base.*
    from "kanon_work"."r1_base" as base
) as base
join (
    select *
    from (
    select
        sized.key0,
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
                cast(whole.n as double precision) / 1000 as p
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
    where c < 5 or distinct_0 < 3
) as violating on 1 = 1
    and violating.key0 = base.key0
join "kanon_work"."r1_glm_0" as c0 on c0.code = base.q0_0
join "kanon_work"."r1_glm_1" as c1 on c1.code = base.q1_0
