-- cluster/limits/without_groups
create table "kanon_work"."r1_made" as
select
    assigned.rid,
    case when left_out.key0 is null then assigned.g end as g
from "kanon_work"."r1_assignment" as assigned
left join "kanon_work"."r1_violating_groups" as left_out on left_out.key0 = assigned.g
