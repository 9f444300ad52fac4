-- metrics/node_measures
with kept as (
    select base.*
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
        cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint) as key0,

        sum(n) as c,
        sum(n) as n
    from "kanon_work"."r1_base"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)



        ) as classes
        where not (c < 5)
    ) as satisfying on 1 = 1
        and satisfying.key0 = base.key0


)
select
    0 as attribute
    , coalesce(sum(cell_rows.n * cells.loss_0), 0) as total_0
    , coalesce(sum(cell_rows.n * cells.loss_1), 0) as total_1
from (
    select
        q0_0 as code,
        sum(n) as n
    from kept
    group by q0_0
) as cell_rows
join (
    select
        q0_0 as code
        , cast(0 as double precision) as loss_0
        , cast(n * 2 as double precision) as loss_1
    from "kanon_work"."r1_dictionary_0"
) as cells on cells.code = cell_rows.code
union all
select
    5 as attribute
    , coalesce(sum(cell_rows.n * cells.loss_0), 0) as total_0
    , coalesce(sum(cell_rows.n * cells.loss_1), 0) as total_1
from (
    select
        q5_0 as code,
        sum(n) as n
    from kept
    group by q5_0
) as cell_rows
join (
    select
        q5_0 as code
        , cast(0 as double precision) as loss_0
        , cast(1 as double precision) as loss_1
    from "kanon_work"."r1_dictionary_5"
) as cells on cells.code = cell_rows.code
