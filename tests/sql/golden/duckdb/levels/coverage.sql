-- levels/coverage
select attribute, level, what, found
from (
    select
        0 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_0"
    where 1 = 0
    union all
    select
        0 as attribute,
        1 as level,
        'torn' as what,
        count(*) as found
    from (
        select q0_1
        from "kanon_work"."r1_dictionary_0"
        group by q0_1
        having count(distinct q0_2) > 1
    ) as torn
    union all
    select
        1 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_1"
    where 1 = 0
    union all
    select
        2 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_2"
    where 1 = 0
    union all
    select
        2 as attribute,
        1 as level,
        'torn' as what,
        count(*) as found
    from (
        select q2_1
        from "kanon_work"."r1_dictionary_2"
        group by q2_1
        having count(distinct q2_2) > 1
    ) as torn
    union all
    select
        3 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_3"
    where 1 = 0
    union all
    select
        3 as attribute,
        1 as level,
        'torn' as what,
        count(*) as found
    from (
        select q3_1
        from "kanon_work"."r1_dictionary_3"
        group by q3_1
        having count(distinct q3_2) > 1
    ) as torn
    union all
    select
        3 as attribute,
        2 as level,
        'torn' as what,
        count(*) as found
    from (
        select q3_2
        from "kanon_work"."r1_dictionary_3"
        group by q3_2
        having count(distinct q3_3) > 1
    ) as torn
    union all
    select
        4 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_4"
    where 1 = 0
    union all
    select
        5 as attribute,
        0 as level,
        'uncovered' as what,
        count(*) as found
    from "kanon_work"."r1_dictionary_5"
    where value is not null and looked_up is null
) as findings
where found > 0
order by attribute, level
