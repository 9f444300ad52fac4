-- evaluate/class_labels
select
    attribute,
    min(label) as label
from (

    select
        0 as attribute,
        label_1 as label
    from "kanon_work"."r1_dictionary_0"
    where q0_1 = 3
    union all
    select
        2 as attribute,
        label_0 as label
    from "kanon_work"."r1_dictionary_2"
    where q2_0 = 17
) as labels
group by attribute
