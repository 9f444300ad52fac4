-- levels/sizes
select
    0 as attribute,
    0 as level,
    count(distinct q0_0) as size
from `kanon_work`.`r1_dictionary_0`
union all
select
    0 as attribute,
    1 as level,
    count(distinct q0_1) as size
from `kanon_work`.`r1_dictionary_0`
union all
select
    0 as attribute,
    2 as level,
    count(distinct q0_2) as size
from `kanon_work`.`r1_dictionary_0`
union all
select
    1 as attribute,
    0 as level,
    count(distinct q1_0) as size
from `kanon_work`.`r1_dictionary_1`
union all
select
    1 as attribute,
    1 as level,
    count(distinct q1_1) as size
from `kanon_work`.`r1_dictionary_1`
union all
select
    2 as attribute,
    0 as level,
    count(distinct q2_0) as size
from `kanon_work`.`r1_dictionary_2`
union all
select
    2 as attribute,
    1 as level,
    count(distinct q2_1) as size
from `kanon_work`.`r1_dictionary_2`
union all
select
    2 as attribute,
    2 as level,
    count(distinct q2_2) as size
from `kanon_work`.`r1_dictionary_2`
union all
select
    3 as attribute,
    0 as level,
    count(distinct q3_0) as size
from `kanon_work`.`r1_dictionary_3`
union all
select
    3 as attribute,
    1 as level,
    count(distinct q3_1) as size
from `kanon_work`.`r1_dictionary_3`
union all
select
    3 as attribute,
    2 as level,
    count(distinct q3_2) as size
from `kanon_work`.`r1_dictionary_3`
union all
select
    3 as attribute,
    3 as level,
    count(distinct q3_3) as size
from `kanon_work`.`r1_dictionary_3`
union all
select
    4 as attribute,
    0 as level,
    count(distinct q4_0) as size
from `kanon_work`.`r1_dictionary_4`
union all
select
    4 as attribute,
    1 as level,
    count(distinct q4_1) as size
from `kanon_work`.`r1_dictionary_4`
union all
select
    5 as attribute,
    0 as level,
    count(distinct q5_0) as size
from `kanon_work`.`r1_dictionary_5`
union all
select
    5 as attribute,
    1 as level,
    count(distinct q5_1) as size
from `kanon_work`.`r1_dictionary_5`
