-- metrics/rule_rows
select
    0 as attribute,
    0 as rule,
    0 as place,
    coalesce(sum(case when value < 18 then n else 0 end), 0) as rows_named
from `kanon_work`.`r1_dictionary_0`
