-- evaluate/value_frequencies
select
    0 as attribute,
    n as value_rows,
    count(*) as value_count
from (
    select sum(n) as n
    from `kanon_work`.`r1_dictionary_0`
    group by `q0_1`
) as counted_0
group by n
union all
select
    1 as attribute,
    n as value_rows,
    count(*) as value_count
from (
    select sum(n) as n
    from `kanon_work`.`r1_dictionary_1`
) as counted_1
group by n
