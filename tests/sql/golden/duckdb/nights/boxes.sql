-- nights/boxes
create table "kanon_work"."r1_night_boxes" as
select
    labels.g,
    labels.loss
    , labels.from_0
    , labels.to_0
    , labels.null_0
    , case when labels.label_0 = '*' then 1 else 0 end as any_0
    , case when labels.label_3 = '*' then 1 else 0 end as any_3
    , case when labels.label_1 = '*' then 1 else 0 end as any_1
    , case when labels.label_2 = '*' then 1 else 0 end as any_2
    , node_1.lo as lo1
    , node_1.hi as hi1
    , coalesce(set_2.m0, 0) as b2_0
from "kanon_ledger"."groups_1_2_labels_v7" as labels
left join (
    select
        0 as level,
        words.label_0 as label,
        min(codes.a1) as lo,
        max(codes.a1) as hi
    from "kanon_work"."r1_dictionary_1" as words
    join "kanon_work"."r1_code_1" as codes on codes.q1_0 = words.q1_0
    group by words.label_0
    union all
    select
        1 as level,
        words.label_1 as label,
        min(codes.a1) as lo,
        max(codes.a1) as hi
    from "kanon_work"."r1_dictionary_1" as words
    join "kanon_work"."r1_code_1" as codes on codes.q1_0 = words.q1_0
    group by words.label_1

) as node_1 on node_1.level = labels.level_1
    and (node_1.label = labels.label_1 or (node_1.label is null and labels.label_1 is null))
left join (
    select
        held.g
        , bit_or(codes.m0) as m0
    from "kanon_ledger"."groups_1_2_values_v7" as held
    join "kanon_work"."r1_dictionary_2" as words on case when words.label_0 is null then 'n' else 'v' || words.label_0 end = held.word
    join "kanon_work"."r1_code_2" as codes on codes.q2_0 = words.q2_0
    where held.attribute = 2
    group by held.g
) as set_2 on set_2.g = labels.g
