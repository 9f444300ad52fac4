-- cluster/limits/groups_beyond
select count(*) as groups
from "kanon_work"."r1_boxes"
where loss >= 26000000
