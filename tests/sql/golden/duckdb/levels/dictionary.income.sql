-- levels/dictionary
create table "kanon_work"."r1_dictionary_1" as
with counted as (
    select
        v1 as value,
        sum(n) as n
    from "kanon_work"."r1_raw"
    group by v1
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        cast(counted.value as varchar) as label_0
        , '[' || cast(cast((cast(counted.value as decimal(28, 2)) - (((cast(counted.value as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) as decimal(28, 2)) as varchar) || ', ' || cast(cast(((cast(counted.value as decimal(28, 2)) - (((cast(counted.value as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) + cast(0.5 as decimal(28, 2))) as decimal(28, 2)) as varchar) || ')' as label_1
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as integer) as q1_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as integer) as q1_1
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
from labelled
