-- levels/dictionary
create table "kanon_work"."r1_dictionary_2" as
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
        case when isnan(counted.value) then 'NaN' when isinf(counted.value) then case when counted.value > 0 then 'Infinity' else '-Infinity' end else regexp_replace(cast(counted.value as varchar), '[.]0$', '') end as label_0
        , case when isnan(counted.value) then 'NaN' when counted.value >= cast(500000000000000.0 as double) then 'very large' when counted.value <= -cast(500000000000000.0 as double) then 'very small' else '[' || cast(cast(case when counted.value < cast(cast((cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as varchar) as double) then (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + -1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) when counted.value >= cast(cast((cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as varchar) as double) then (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) else (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) end as decimal(28, 1)) as varchar) || ', ' || cast(cast((case when counted.value < cast(cast((cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as varchar) as double) then (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + -1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) when counted.value >= cast(cast((cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as varchar) as double) then (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) else (cast((cast(floor(counted.value / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) end + cast(0.5 as decimal(28, 1))) as decimal(28, 1)) as varchar) || ')' end as label_1
        , case when isnan(counted.value) then 'NaN' else case when counted.value < 18.5 then '<18.5' when counted.value < 25 then '[18.5, 25)' when counted.value >= 25 then '>=25' end end as label_2
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as integer) as q2_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as integer) as q2_1
    , cast(dense_rank() over (order by label_2 nulls first) - 1 as integer) as q2_2
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
    , label_2
from labelled
