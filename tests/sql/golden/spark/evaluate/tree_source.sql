-- evaluate/tree_source
select
    cast(members_0.value as double) as feature_0,
    members_1.label_0 as feature_1,
    cast(control.value as string) as control,
    sum(base.n) as n
from `kanon_work`.`r1_base` as base
join `kanon_work`.`r1_dictionary_0` as members_0 on members_0.q0_0 = base.q0_0
join `kanon_work`.`r1_dictionary_1` as members_1 on members_1.q1_0 = base.q1_0
join `kanon_work`.`r1_sensitive_0` as control on control.code = base.s0
group by
    cast(members_0.value as double),
    members_1.label_0,
    cast(control.value as string)
