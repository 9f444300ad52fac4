-- embedded/export_dictionaries
select
    0 as attribute,
    q0_0 as code_0,
    q0_1 as code_1,
    n,
    cast(value as double precision) as value
from "kanon_work"."r1_dictionary_0"
union all
select
    1 as attribute,
    q1_0 as code_0,
    cast(null as integer) as code_1,
    n,
    cast(null as double precision) as value
from "kanon_work"."r1_dictionary_1"
