-- nights/mean_loss
select
    count(assigned.g) as rows,
    coalesce(sum(boxes.loss), 0) as loss
from "kanon_work"."r1_night_assigned" as assigned
join "kanon_work"."r1_night_boxes" as boxes on boxes.g = assigned.g
