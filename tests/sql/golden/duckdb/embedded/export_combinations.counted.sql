-- embedded/export_combinations
select
    q0_0,
    q1_0,
    sum(n) as n
from "kanon_work"."r1_base"
group by q0_0, q1_0
