-- metrics/broken_rules
select
    0 as attribute,
    0 as rule,
    0 as level,
    count(*) as broken
from (
    select
        max(case when value < 18 then 1 else 0 end) as has_left,
        max(case when value >= 18 then 1 else 0 end) as has_right
    from "kanon_work"."r1_dictionary_0"
    group by q0_0
) as sides
where has_left = 1
    and has_right = 1
union all
select
    0 as attribute,
    0 as rule,
    1 as level,
    count(*) as broken
from (
    select
        max(case when value < 18 then 1 else 0 end) as has_left,
        max(case when value >= 18 then 1 else 0 end) as has_right
    from "kanon_work"."r1_dictionary_0"
    group by q0_1
) as sides
where has_left = 1
    and has_right = 1
union all
select
    0 as attribute,
    0 as rule,
    2 as level,
    count(*) as broken
from (
    select
        max(case when value < 18 then 1 else 0 end) as has_left,
        max(case when value >= 18 then 1 else 0 end) as has_right
    from "kanon_work"."r1_dictionary_0"
) as sides
where has_left = 1
    and has_right = 1
