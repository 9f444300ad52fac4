-- cluster/publishing/group_labels
create unlogged table "kanon_work"."r1_made" as
with box as (
    select *
    from "kanon_work"."r1_group_ends"
)
, set_2 as (
    select
        members.g,
        string_agg(words.label_0, ', ' order by words.label_0) as label
    from (
        select
            g,
            code
        from "kanon_work"."r1_group_values"
        where attribute = 2
    ) as members
    join "kanon_work"."r1_dictionary_2" as words on words.q2_0 = members.code
    group by members.g
)
, set_3 as (
    select
        held.bits,
        string_agg(words.label_0, ', ' order by words.label_0) as label
    from (
        select distinct
            b0 & 12 as bits
        from box
    ) as held
    join "kanon_work"."r1_code_3" as codes on (codes.m0 & held.bits) <> 0
    join "kanon_work"."r1_dictionary_3" as words on words.q3_0 = codes.q3_0
    group by held.bits
)
, leaf_1 as (
    select
        codes.a1
        , min(codes.t1_1) as t1_1
        , min(words.label_0) as label_0
        , min(words.label_1) as label_1
    from "kanon_work"."r1_code_1" as codes
    join "kanon_work"."r1_dictionary_1" as words on words.q1_0 = codes.q1_0
    group by codes.a1
)
select
    box.g
    , first_0.label_0 || last_0.label_0 as label_0
    , first_0.value as low_0
    , last_0.value as high_0
    , case when box.hi1 <= leaf_1.t1_1 then leaf_1.label_1 else '*' end as label_1
    , set_2.label as label_2
    , set_3.label as label_3
from box
left join "kanon_work"."r1_dictionary_0" as first_0 on first_0.q0_0 = box.first0
left join "kanon_work"."r1_dictionary_0" as second_0 on second_0.q0_0 = box.second0
left join "kanon_work"."r1_dictionary_0" as last_0 on last_0.q0_0 = box.last0
left join leaf_1 on leaf_1.a1 = box.lo1
left join set_2 on set_2.g = box.g
left join set_3 on set_3.bits = (box.b0 & 12)
