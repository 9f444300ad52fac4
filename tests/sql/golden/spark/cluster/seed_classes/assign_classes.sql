-- cluster/seed_classes/assign_classes
create table `kanon_work`.`r1_made` as
with keyed as (
    select
        free.rid,
        nodes.node
        , case nodes.node when 0 then ((c0) * 41 + a1) * 5 + c2 when 1 then ((c0 div 4)) * 41 + f1_2 end as key_0
    from `kanon_work`.`r1_unassigned_rows` as free
    cross join (
        values
            (0),
            (1)
    ) as nodes (node)
),
counted as (
    select
        keyed.*,
        count(*) over (partition by node, key_0) as n
    from keyed
),
ordered as (
    select
        counted.*,
        row_number() over (partition by rid order by node) as place
    from counted
    where n >= 5
),
sized as (
    select
        rid,
        node
        , key_0
        , count(*) over (partition by node, key_0) as n
    from ordered
    where place = 1
)
select
    rid,
    17 + dense_rank() over (order by node, key_0) as g
from sized
where n >= 5
