-- levels/all_codes
select
    attribute,
case when attribute in (5) and label_0 is not null and looked_up is null then 1 else 0 end as uncovered,
    code_0, code_1, code_2, code_3
from `kanon_work`.`r1_dictionaries`
limit 101
