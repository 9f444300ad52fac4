-- levels/dictionary_view
create view `kanon_work`.`r1_dictionary_5` as
select
    code_0 as q5_0,
    code_1 as q5_1,
    n,
    v5 as value,
    looked_up,
    label_0,
    label_1
from `kanon_work`.`r1_dictionaries`
where attribute = 5
