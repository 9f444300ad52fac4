-- cluster/coding/tree_leaves
create table `kanon_work`.`r1_made` as
select distinct
    a1, f1_1, t1_1
from `kanon_work`.`r1_code_1`
