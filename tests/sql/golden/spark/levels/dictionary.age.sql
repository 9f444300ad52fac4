-- levels/dictionary
create table `kanon_work`.`r1_dictionary_0` as
with counted as (
    select
        v0 as value,
        sum(n) as n
    from `kanon_work`.`r1_raw`
    group by v0
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        cast(counted.value as string) as label_0
        , cast((cast(counted.value as bigint) - (((cast(counted.value as bigint) % 5) + 5) % 5)) as string) || '-' || cast(((cast(counted.value as bigint) - (((cast(counted.value as bigint) % 5) + 5) % 5)) + 4) as string) as label_1
        , case when counted.value < 18 then '<18' when counted.value < 65 then '18-64' when counted.value >= 65 then '>=65' end as label_2
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as int) as q0_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as int) as q0_1
    , cast(dense_rank() over (order by label_2 nulls first) - 1 as int) as q0_2
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
    , label_2
from labelled
