-- evaluate/true_answers
with classes as (
    select
        base.q0_0 as code_0,
        base.q1_0 as code_1,
        sum(base.n) as n,
        sum(base.n * coalesce(cast(value as double), 0)) as total
    from `kanon_work`.`r1_base` as base
    join `kanon_work`.`r1_dictionary_0` as members on members.q0_0 = base.q0_0
    group by
        base.q0_0,
        base.q1_0
)
select
    picked_0.query as query,
    sum(classes.n) as answer,
    sum(classes.total) as total
from classes
join `kanon_work`.`r1_picked_0` as picked_0 on picked_0.code = classes.code_0
join `kanon_work`.`r1_picked_1` as picked_1 on picked_1.code = classes.code_1
    and picked_1.query = picked_0.query
group by picked_0.query
