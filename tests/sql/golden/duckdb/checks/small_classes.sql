-- checks/small_classes
create table "kanon_work"."r1_small_classes" as
select
    small.measured,
    small.c,
    q0_0 + q1_0 * 40 as combination0,
    small.n,
    small.n * (0
        + cast('0.5' as double) * (c0.loss_suppressed - case small.level_0 when 1 then c0.loss_1 when 2 then c0.loss_2 end)
        + cast('0.5' as double) * (c1.loss_suppressed - c1.loss_0)
    ) as extra
from (
    select
        0 as measured,
        cast(sizes.c as bigint) as c,
        1 as level_0,
        base.q0_0,
        base.q1_0,
        cast(base.n as bigint) as n
    from (
        select
            cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,
            *
        from "kanon_work"."r1_base"
    ) as base
    join (
    select
        cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,

        sum(n) as c,
        sum(n) as n
    from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)


    ) as sizes on sizes.c <= 7
        and sizes.key0 = base.key0
union all
    select
        1 as measured,
        cast(sizes.c as bigint) as c,
        2 as level_0,
        base.q0_0,
        base.q1_0,
        cast(base.n as bigint) as n
    from (
        select
            *
        from "kanon_work"."r1_base"
    ) as base
    join (
    select

        sum(n) as c,
        sum(n) as n
    from "kanon_work"."r1_base_1"


    ) as sizes on sizes.c <= 9

) as small
join "kanon_work"."r1_glm_0" as c0 on c0.code = small.q0_0
join "kanon_work"."r1_glm_1" as c1 on c1.code = small.q1_0
