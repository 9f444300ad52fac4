-- doctor/uncovered_values
select cast(value as string) as value
from `kanon_work`.`r1_dictionary_0`
where looked_up is null
    and value is not null
    and n >= 5
order by
    n desc,
    cast(value as string) nulls first
limit 3
