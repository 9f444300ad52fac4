-- cluster/publishing/published_groups
create view `kanon_work`.`r1_made` as
select
    labels.label_0 as `a ge`,
    counted.n as `kanon_n`
from `kanon_work`.`r1_group_ends` as counted
join `kanon_work`.`r1_labels` as labels on labels.g = counted.g
