-- metrics/cell_sums
select
    0 as attribute
    , sum(n * loss_0) as level_0
    , sum(n * loss_1) as level_1
from (
    select
        n
        , cast(0 as double) as loss_0
        , cast(0.5 as double) as loss_1
    from "kanon_work"."r1_dictionary_0"
) as cells
union all
select
    1 as attribute
    , sum(n * loss_0) as level_0
    , cast(null as double) as level_1
from (
    select
        n
        , cast(0 as double) as loss_0
    from "kanon_work"."r1_dictionary_1"
) as cells
