-- checks/suppressed_loss
select
    violating_rows.node as node,
    sum(violating_rows.n * (0
        + cast('0.5' as double) * (c0.loss_suppressed - case violating_rows.level_0 when 1 then c0.loss_1 when 2 then c0.loss_2 end)
        + cast('0.5' as double) * (c1.loss_suppressed - c1.loss_0)
    )) as extra
from (
    select
        0 as node,
        1 as level_0,
        base.q0_0 as q0_0,
        base.q1_0 as q1_0,
        base.n as n
    from (
        select
        cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,

            base.*
        from "kanon_work"."r1_base" as base
    ) as base
    join (
        select *
        from (
    select
        values_0.key0,

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
            cast(sum(n) as double) as m
        from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint), s0

        ) as spread

    ) as values_of_class
    group by key0

    ) as values_0

        ) as classes
        where c < 5 or distinct_0 < 3
    ) as violating on 1 = 1
        and violating.key0 = base.key0


union all
    select
        1 as node,
        2 as level_0,
        base.q0_0 as q0_0,
        base.q1_0 as q1_0,
        base.n as n
    from (
        select

            base.*
        from "kanon_work"."r1_base" as base
    ) as base
    join (
        select *
        from (
    select

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
            cast(sum(n) as double) as m
        from "kanon_work"."r1_base"
        group by s0

        ) as spread

    ) as values_of_class

    ) as values_0

        ) as classes
        where c < 5 or distinct_0 < 3
    ) as violating on 1 = 1



) as violating_rows
join "kanon_work"."r1_glm_0" as c0 on c0.code = violating_rows.q0_0
join "kanon_work"."r1_glm_1" as c1 on c1.code = violating_rows.q1_0
group by violating_rows.node
