-- nights/accepted_groups
create table `kanon_work`.`r1_night_accepted` as
select
    boxes.g as found,
    cast(0 + dense_rank() over (order by labels.label_0 nulls first) as bigint) as g,
    boxes.loss
from `kanon_work`.`r1_boxes_1` as boxes
join `kanon_work`.`r1_labels` as labels on labels.g = boxes.g
