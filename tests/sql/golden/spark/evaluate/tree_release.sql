-- evaluate/tree_release
with
ends_0 as (
    select
        cover.label_key as label_key,
        min(cast(members_0.value as double)) as low,
        max(cast(members_0.value as double)) as high
    from `kanon_work`.`r1_cover_0` as cover
    join `kanon_work`.`r1_dictionary_0` as members_0 on members_0.q0_0 = cover.code
    group by cover.label_key
),
classes as (
    select
        label_0,
        label_1,
        cast(target as string) as control,
        sum(n) as n
    from `kanon_work`.`r1_workload_published`
    group by
        label_0,
        label_1,
        cast(target as string)
)
select
    classes.label_0 as label_0,
    ends_0.low as low_0,
    ends_0.high as high_0,
    classes.label_1 as label_1,
    null as low_1,
    null as high_1,
    classes.control as control,
    classes.n as n
from classes
left join ends_0 on ends_0.label_key = coalesce('=' || classes.label_0, '')
