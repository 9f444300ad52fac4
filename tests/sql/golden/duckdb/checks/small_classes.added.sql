-- checks/small_classes
insert into "kanon_work"."r1_small_classes"
select
    small.measured,
    small.c,
    q0_0 + q1_0 * 40 as combination0,
    small.n,
    small.n * (0
        + cast('0.5' as double) * (c0.loss_suppressed - c0.loss_1)
        + cast('0.5' as double) * (c1.loss_suppressed - c1.loss_0)
    ) as extra
from (
    select
        2 as measured,
        cast(sizes.c as bigint) as c,
        base.q0_0,
        base.q1_0,
        cast(sum(base.n) as bigint) as n
    from (
        select
            cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,
            *
        from "kanon_work"."r1_base"
    ) as base
    join (
    select
        cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,

        count(distinct person) as c,
        sum(n) as n
    from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)


    ) as sizes on sizes.c <= 7
        and sizes.key0 = base.key0
    group by
        sizes.c, base.q0_0, base.q1_0

) as small
join "kanon_work"."r1_glm_0" as c0 on c0.code = small.q0_0
join "kanon_work"."r1_glm_1" as c1 on c1.code = small.q1_0
