-- nights/assignment
create table "kanon_work"."r1_night_assignment" as
select
    assigned.rid,
assigned.g as g
from "kanon_work"."r1_night_assigned" as assigned
