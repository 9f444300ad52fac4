-- cluster/moving/small_groups
select count(*) as small
from "kanon_work"."r1_boxes"
where n < 5
