-- evaluate/label_values
select
    0 as attribute,
    label_1 as label,
    count(*) as value_count
from `kanon_work`.`r1_dictionary_0`
where label_1 in ('20-39', 'it\'s')
group by label_1
union all
select
    1 as attribute,
    '*' as label,
    count(*) as value_count
from `kanon_work`.`r1_dictionary_1`
