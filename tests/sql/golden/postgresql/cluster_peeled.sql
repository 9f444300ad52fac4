-- cluster/peeled
create unlogged table "kanon_work"."r1_made" as
with keyed as (
    select
        rid
        , ((c0) * 41 + a1) * 5 + c2 as key_0_0
        , ((c0 / 4)) * 41 + f1_2 as key_1_0
    from "kanon_work"."r1_free"
),
counted as (
    select
        keyed.*
        , count(*) over (partition by key_0_0) as n_0
        , count(*) over (partition by key_1_0) as n_1
    from keyed
),
chosen as (
    select
        counted.*,
        case when n_0 >= 5 then 0 when n_1 >= 5 then 1 end as node
    from counted
),
classes as (
    select
        rid,
        node
        , case node when 0 then key_0_0 when 1 then key_1_0 end as key_0
    from chosen
    where node is not null
),
sized as (
    select
        classes.*,
        count(*) over (partition by node, key_0) as n
    from classes
)
select
    rid,
    17 + dense_rank() over (order by node, key_0) as g
from sized
where n >= 5
