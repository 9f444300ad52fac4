-- embedded/export_combinations
select
    q0_0,
    q1_0,
    n as n
from `kanon_work`.`r1_base`
