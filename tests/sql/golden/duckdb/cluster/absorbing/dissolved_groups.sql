-- cluster/absorbing/dissolved_groups
create table "kanon_work"."r1_made" as
select
    assigned.rid,
    case when dissolved.key0 is null then assigned.g else 99 + assigned.rid end as g
from "kanon_work"."r1_assignment" as assigned
left join "kanon_work"."r1_costliest_groups" as dissolved on dissolved.key0 = assigned.g
