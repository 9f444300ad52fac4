-- ledger/classes
create table `kanon_work`.`r1_ledger_classes` as
select
    row_number() over (order by classes.key0) as class,
    classes.key0,
    substr(sha2('sa\'lt' || cast(coalesce(cast(length(cast(d0.label as string)) as string) || ':' || cast(d0.label as string), '-') || coalesce(cast(length(cast('*' as string)) as string) || ':' || cast('*' as string), '-') as string), 256), 1, 32) as class_key
from (
    select
        q0_1 as key0,
        min(q0_1) as q0_1,
        count(*) as combinations
    from `kanon_work`.`r1_base`
    group by
        q0_1
) as classes
left join (
    select
        q0_1,
        min(label_1) as label
    from `kanon_work`.`r1_dictionary_0`
    group by q0_1
) as d0 on d0.q0_1 = classes.q0_1
left join `kanon_work`.`r1_violating` as violating on 1 = 1
    and violating.key0 = classes.key0
where violating.key0 is null
