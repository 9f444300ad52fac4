-- cluster/coding/leaf_ancestors
select *
from (
    select
        cast(1 as bigint) as attribute,
        a1 as leaf
        , f1_1 as end_0
        , t1_1 as end_1
        , cast(null as bigint) as end_2
        , cast(null as bigint) as end_3
    from `kanon_work`.`r1_tree_1`
    union all
    select
        cast(3 as bigint) as attribute,
        a3 as leaf
        , f3_1 as end_0
        , t3_1 as end_1
        , f3_2 as end_2
        , t3_2 as end_3
    from `kanon_work`.`r1_tree_3`
    
) as leaves
order by attribute, leaf
