-- levels/level_view
create view `kanon_work`.`r1_levels` as
select
    source.*
    , source.`age` as `age__0`
    , d0.label_1 as `age__1`
    , d0.label_2 as `age__2`
    , cast('*' as string) as `age__3`
    , source.`income` as `income__0`
    , d1.label_1 as `income__1`
    , cast('*' as string) as `income__2`
    , source.`bmi` as `bmi__0`
    , d2.label_1 as `bmi__1`
    , d2.label_2 as `bmi__2`
    , cast('*' as string) as `bmi__3`
    , source.`seen` as `seen__0`
    , d3.label_1 as `seen__1`
    , d3.label_2 as `seen__2`
    , d3.label_3 as `seen__3`
    , cast('*' as string) as `seen__4`
    , source.`zip` as `zip__0`
    , d4.label_1 as `zip__1`
    , cast('*' as string) as `zip__2`
    , source.`race` as `race__0`
    , d5.label_1 as `race__1`
    , cast('*' as string) as `race__2`
from `census`.`people` as source
left join `kanon_work`.`r1_dictionary_0` as d0 on source.`age` = d0.value
left join `kanon_work`.`r1_dictionary_1` as d1 on source.`income` = d1.value
left join `kanon_work`.`r1_dictionary_2` as d2 on source.`bmi` = d2.value
left join `kanon_work`.`r1_dictionary_3` as d3 on source.`seen` = d3.value
left join `kanon_work`.`r1_dictionary_4` as d4 on source.`zip` = d4.value
left join `kanon_work`.`r1_dictionary_5` as d5 on source.`race` = d5.value
