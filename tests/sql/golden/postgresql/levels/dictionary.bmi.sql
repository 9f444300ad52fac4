-- levels/dictionary
create unlogged table "kanon_work"."r1_dictionary_2" as
with counted as (
    select
        v2 as value,
        sum(n) as n
    from "kanon_work"."r1_raw"
    group by v2
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        cast(counted.value as text) as label_0
        , case when (counted.value = 'NaN') then 'NaN' when counted.value >= cast(500000000000000.0 as double precision) then 'very large' when counted.value <= -cast(500000000000000.0 as double precision) then 'very small' else '[' || cast(round(cast(case when counted.value < cast((round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 0) as numeric), 0) * round(cast(0.5 as numeric), 1)) as double precision) then (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + -1) as numeric), 0) * round(cast(0.5 as numeric), 1)) when counted.value >= cast((round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 1) as numeric), 0) * round(cast(0.5 as numeric), 1)) as double precision) then (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 1) as numeric), 0) * round(cast(0.5 as numeric), 1)) else (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 0) as numeric), 0) * round(cast(0.5 as numeric), 1)) end as numeric), 1) as text) || ', ' || cast(round(cast((case when counted.value < cast((round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 0) as numeric), 0) * round(cast(0.5 as numeric), 1)) as double precision) then (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + -1) as numeric), 0) * round(cast(0.5 as numeric), 1)) when counted.value >= cast((round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 1) as numeric), 0) * round(cast(0.5 as numeric), 1)) as double precision) then (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 1) as numeric), 0) * round(cast(0.5 as numeric), 1)) else (round(cast((cast(floor(counted.value / cast(0.5 as double precision)) as bigint) + 0) as numeric), 0) * round(cast(0.5 as numeric), 1)) end + round(cast(0.5 as numeric), 1)) as numeric), 1) as text) || ')' end as label_1
        , case when (counted.value = 'NaN') then 'NaN' else case when counted.value < 18.5 then '<18.5' when counted.value < 25 then '[18.5, 25)' when counted.value >= 25 then '>=25' end end as label_2
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as integer) as q2_0
    , cast(dense_rank() over (order by label_1 collate "C" nulls first) - 1 as integer) as q2_1
    , cast(dense_rank() over (order by label_2 collate "C" nulls first) - 1 as integer) as q2_2
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
    , label_2
from labelled
