-- cluster/coding/tree_codes
create table `kanon_work`.`r1_made` as
with leaves as (
    select
        q1_0 as code,
        q1_1 as label_1,
        q1_2 as label_2,
        cast(dense_rank() over (order by q1_2, q1_1, q1_0) - 1 as bigint) as leaf
    from `kanon_work`.`r1_dictionary_1`
)
select
    code as q1_0,
    leaf as c1,
    leaf as a1
    , min(leaf) over (partition by label_1) as f1_1
    , max(leaf) over (partition by label_1) as t1_1
    , min(leaf) over (partition by label_2) as f1_2
    , max(leaf) over (partition by label_2) as t1_2
from leaves
