-- levels/population_dictionary
create table `kanon_work`.`r1_population_5` as
with counted as (
    select distinct v5 as value
    from `kanon_work`.`r1_population_raw`
    where v5 is not null
),
labelled as (
    select
        counted.value as value
        , lookup.`label_1` as label_1
    from counted
    left join `kanon_work`.`r1_lookup_5` as lookup on cast(counted.value as string) = lookup.`value`
)
select
    labelled.value as value,
    d0.q5_0 as q5_0
    , d1.code as q5_1
from labelled
left join `kanon_work`.`r1_dictionary_5` as d0 on d0.value = labelled.value
left join (
    select distinct
        label_1 as label,
        q5_1 as code
    from `kanon_work`.`r1_dictionary_5`
) as d1 on d1.label = labelled.label_1
