-- levels/codes
select attribute, uncovered, code_0, code_1, code_2, code_3
from (
    select
        0 as attribute,
        0 as uncovered,
        q0_0 as code_0,
        q0_1 as code_1,
        q0_2 as code_2,
        cast(null as integer) as code_3
    from "kanon_work"."r1_dictionary_0"
    union all
    select
        1 as attribute,
        0 as uncovered,
        q1_0 as code_0,
        q1_1 as code_1,
        cast(null as integer) as code_2,
        cast(null as integer) as code_3
    from "kanon_work"."r1_dictionary_1"
    union all
    select
        2 as attribute,
        0 as uncovered,
        q2_0 as code_0,
        q2_1 as code_1,
        q2_2 as code_2,
        cast(null as integer) as code_3
    from "kanon_work"."r1_dictionary_2"
    union all
    select
        3 as attribute,
        0 as uncovered,
        q3_0 as code_0,
        q3_1 as code_1,
        q3_2 as code_2,
        q3_3 as code_3
    from "kanon_work"."r1_dictionary_3"
    union all
    select
        4 as attribute,
        0 as uncovered,
        q4_0 as code_0,
        q4_1 as code_1,
        cast(null as integer) as code_2,
        cast(null as integer) as code_3
    from "kanon_work"."r1_dictionary_4"
    union all
    select
        5 as attribute,
        case when value is not null and looked_up is null then 1 else 0 end as uncovered,
        q5_0 as code_0,
        q5_1 as code_1,
        cast(null as integer) as code_2,
        cast(null as integer) as code_3
    from "kanon_work"."r1_dictionary_5"
) as codes
limit 101
