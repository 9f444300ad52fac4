-- evaluate/largest_class
select
    sum(n) as c,
    q0_1,
    q2_0
from `kanon_work`.`r1_base`
group by
    q0_1,
    q2_0
having sum(n) >= 5
order by
    c desc,
    q0_1,
    q2_0
limit 1
