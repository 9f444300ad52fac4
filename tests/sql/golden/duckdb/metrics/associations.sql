-- metrics/associations
select
    0 as first,
    2 as second,
    cast(coalesce(sum(base.n), 0) as double) as a,
    coalesce(sum(base.n * one.x), 0) as b,
    coalesce(sum(base.n * other.x), 0) as c,
    coalesce(sum(base.n * one.x * one.x), 0) as d,
    coalesce(sum(base.n * other.x * other.x), 0) as e,
    coalesce(sum(base.n * one.x * other.x), 0) as f
from "kanon_work"."r1_base" as base
join (
    select
        code,
        figure - sum(n * figure) over () / sum(n) over () as x
    from (
        select
            q0_0 as code,
            n,
            value as figure
        from "kanon_work"."r1_dictionary_0"
    ) as figures
    where figure is not null

) as one on one.code = base.q0_0
join (
    select
        code,
        figure - sum(n * figure) over () / sum(n) over () as x
    from (
        select
            q2_0 as code,
            n,
            value as figure
        from "kanon_work"."r1_dictionary_2"
    ) as figures
    where figure is not null

) as other on other.code = base.q2_0
union all
select
    0 as first,
    4 as second,
    cast(coalesce(sum(n), 0) as double) as a,
    coalesce(sum(x), 0) as b,
    coalesce(sum(xx), 0) as c,
    coalesce(sum(x * x / n), 0) as d,
    cast(0 as double) as e,
    cast(0 as double) as f
from (
    select
        sum(base.n) as n,
        sum(base.n * one.x) as x,
        sum(base.n * one.x * one.x) as xx
    from "kanon_work"."r1_base" as base
    join (
    select
        code,
        figure - sum(n * figure) over () / sum(n) over () as x
    from (
        select
            q0_0 as code,
            n,
            value as figure
        from "kanon_work"."r1_dictionary_0"
    ) as figures
    where figure is not null

    ) as one on one.code = base.q0_0
    group by base.q4_0
) as categories
union all
select
    4 as first,
    5 as second,
    cast(coalesce(sum(together.n), 0) as double) as a,
    coalesce(sum(cast(together.n as double) * together.n / (cast(one.n as double) * other.n)), 0) as b,
    cast(count(distinct one.code) as double) as c,
    cast(count(distinct other.code) as double) as d,
    cast(0 as double) as e,
    cast(0 as double) as f
from (
    select
        q4_0 as first_code,
        q5_0 as second_code,
        sum(n) as n
    from "kanon_work"."r1_base"
    group by q4_0, q5_0
) as together
join (select q4_0 as code, n from "kanon_work"."r1_dictionary_4") as one on one.code = together.first_code
join (select q5_0 as code, n from "kanon_work"."r1_dictionary_5") as other on other.code = together.second_code
