-- levels/dictionary
create table `kanon_work`.`r1_dictionary_3` as
with counted as (
    select
        v3 as value,
        sum(n) as n
    from `kanon_work`.`r1_raw`
    group by v3
),
labelled as (
    select
        counted.value as value,
        counted.n as n,
        cast(cast(counted.value as timestamp_ntz) as string) || '+00' as label_0
        , case when (counted.value is not null) then lpad(cast(cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) as string), 4, '0') || '-' || lpad(cast(cast(extract(month from cast(counted.value as timestamp_ntz)) as bigint) as string), 2, '0') || '-' || lpad(cast(cast(extract(day from cast(counted.value as timestamp_ntz)) as bigint) as string), 2, '0') when counted.value is not null then 'infinite' end as label_1
        , case when (counted.value is not null) then lpad(cast(cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) as string), 4, '0') || '-' || lpad(cast(cast(extract(month from cast(counted.value as timestamp_ntz)) as bigint) as string), 2, '0') when counted.value is not null then 'infinite' end as label_2
        , case when (counted.value is not null) then cast((cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) - (((cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) % 10) + 10) % 10)) as string) || '-' || cast(((cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) - (((cast(extract(year from cast(counted.value as timestamp_ntz)) as bigint) % 10) + 10) % 10)) + 9) as string) when counted.value is not null then 'infinite' end as label_3
    from counted
)
select
    cast(row_number() over (order by value nulls first) - 1 as int) as q3_0
    , cast(dense_rank() over (order by label_1 nulls first) - 1 as int) as q3_1
    , cast(dense_rank() over (order by label_2 nulls first) - 1 as int) as q3_2
    , cast(dense_rank() over (order by label_3 nulls first) - 1 as int) as q3_3
    , cast(n as bigint) as n
    , value
    , label_0
    , label_1
    , label_2
    , label_3
from labelled
