-- levels/dictionary
create table `kanon_work`.`r1_dictionary_5` as
with counted as (
    select
        v5 as value,
        sum(n) as n
    from `kanon_work`.`r1_raw`
    group by v5
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        lookup.value as looked_up,
        cast(counted.value as string) as label_0
        , lookup.`label_1` as label_1
    from counted
    left join `kanon_work`.`r1_lookup_5` as lookup on cast(counted.value as string) = lookup.`value`
)
select
    cast(row_number() over (order by value nulls first) - 1 as int) as q5_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as int) as q5_1
    , cast(n as bigint) as n
    , value
    , looked_up
    , label_0
    , label_1
from labelled
