-- evaluate/largest_class
with largest as (
    select
        q0_1,
        q2_0,
        sum(n) as c
    from "kanon_work"."r1_base"
    group by
        q0_1,
        q2_0
    having sum(n) >= 5
    order by
        c desc,
        q0_1,
        q2_0
    limit 1
)
select
    largest.c as c,
    members_0.label as label_0,
    members_2.label as label_2
from largest
join (
    select
        q0_1 as code,
        min(label_1) as label
    from "kanon_work"."r1_dictionary_0"
    group by q0_1
) as members_0 on members_0.code = largest.q0_1
join (
    select
        q2_0 as code,
        min(label_0) as label
    from "kanon_work"."r1_dictionary_2"
    group by q2_0
) as members_2 on members_2.code = largest.q2_0
