-- embedded/export_counts
select
    q0_0 as q0_0,
    n as n
from `kanon_work`.`r1_base`
