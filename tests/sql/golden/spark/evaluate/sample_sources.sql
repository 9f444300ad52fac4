-- evaluate/sample_sources
with shared as (
    select
        q0_0,
        q1_0,
        count(distinct person) as c
    from `kanon_work`.`r1_base`
    group by
        q0_0,
        q1_0
    having count(distinct person) >= 5
)
select
    members_0.label_0 as value_0,
    members_0.label_1 as label_0,
    members_1.label_0 as value_1,
    '*' as label_1,
    shared.c as c
from shared
join `kanon_work`.`r1_dictionary_0` as members_0 on members_0.q0_0 = shared.q0_0
join `kanon_work`.`r1_dictionary_1` as members_1 on members_1.q1_0 = shared.q1_0
order by
    shared.c desc,
    shared.q0_0,
    shared.q1_0
limit 10
