-- embedded/export_all_dictionaries
select
    attribute,
    code_0,
    code_1,
    n,
case when attribute = 0 then cast(v0 as double) end as value
from `kanon_work`.`r1_dictionaries`
