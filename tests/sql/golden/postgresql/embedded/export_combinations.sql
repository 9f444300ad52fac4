-- embedded/export_combinations
select
    q0_0,
    q1_0,
    count(distinct rid) as n
from "kanon_work"."r1_units"
group by q0_0, q1_0
