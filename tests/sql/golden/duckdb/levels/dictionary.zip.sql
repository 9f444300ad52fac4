-- levels/dictionary
create table "kanon_work"."r1_dictionary_4" as
with counted as (
    select
        v4 as value,
        sum(n) as n
    from "kanon_work"."r1_raw"
    group by v4
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        cast(counted.value as varchar) as label_0
        , case when length(cast(counted.value as varchar)) > 3 then substr(cast(counted.value as varchar), 1, 3) || '*' else cast(counted.value as varchar) end as label_1
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as integer) as q4_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as integer) as q4_1
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
from labelled
