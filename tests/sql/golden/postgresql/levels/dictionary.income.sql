-- levels/dictionary
create unlogged table "kanon_work"."r1_dictionary_1" as
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
        cast(counted.value as text) as label_0
        , case when (counted.value = 'NaN') then 'NaN' when counted.value >= cast('Infinity' as numeric) then 'very large' when counted.value <= -cast('Infinity' as numeric) then 'very small' else '[' || cast(round(cast((round(cast(counted.value as numeric), 2) - (((round(cast(counted.value as numeric), 2) % round(cast(0.5 as numeric), 2)) + round(cast(0.5 as numeric), 2)) % round(cast(0.5 as numeric), 2))) as numeric), 2) as text) || ', ' || cast(round(cast(((round(cast(counted.value as numeric), 2) - (((round(cast(counted.value as numeric), 2) % round(cast(0.5 as numeric), 2)) + round(cast(0.5 as numeric), 2)) % round(cast(0.5 as numeric), 2))) + round(cast(0.5 as numeric), 2)) as numeric), 2) as text) || ')' end as label_1
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as integer) as q1_0
    , cast(dense_rank() over (order by label_1 collate "C" nulls first) - 1 as integer) as q1_1
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
from labelled
