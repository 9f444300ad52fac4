-- nights/assignment
create unlogged table "kanon_work"."r1_night_assignment" as
select
    assigned.rid,
coalesce(founded.g, case when resting.key0 is null then assigned.g end) as g
from "kanon_work"."r1_night_assigned" as assigned
left join "kanon_work"."r1_night_founded" as founded on founded.rid = assigned.rid
left join "kanon_work"."r1_night_resting" as resting on resting.key0 = assigned.g
