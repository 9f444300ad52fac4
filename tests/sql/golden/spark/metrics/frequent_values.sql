-- metrics/frequent_values
select cast(v4 as string) as value
from `kanon_work`.`r1_raw`
where v4 is not null
group by v4
having count(distinct person) >= 5
order by
    sum(n) desc,
    v4 nulls first
limit 10
