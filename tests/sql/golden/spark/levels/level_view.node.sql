-- levels/level_view
create view `kanon_work`.`r1_levels` as
select
    source.*
    , d0.label_1 as `age__1`
    , coalesce(d0.q0_1, 0) as `kanon_q0_1`
    , cast('*' as string) as `income__2`
    , source.`bmi` as `bmi__0`
    , coalesce(d2.q2_0, 0) as `kanon_q2_0`
    , cast('*' as string) as `seen__4`
    , source.`zip` as `zip__0`
    , coalesce(d4.q4_0, 0) as `kanon_q4_0`
    , d5.label_1 as `race__1`
    , coalesce(d5.q5_1, 0) as `kanon_q5_1`
from `census`.`people` as source
left join `kanon_work`.`r1_dictionary_0` as d0 on source.`age` = d0.value
left join `kanon_work`.`r1_dictionary_2` as d2 on source.`bmi` = d2.value
left join `kanon_work`.`r1_dictionary_4` as d4 on source.`zip` = d4.value
left join `kanon_work`.`r1_dictionary_5` as d5 on source.`race` = d5.value
