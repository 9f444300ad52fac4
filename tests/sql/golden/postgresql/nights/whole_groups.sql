-- nights/whole_groups
create unlogged table "kanon_work"."r1_night_whole" as
select distinct
    units.rid,
    large.g
from "kanon_work"."r1_night_waiting_units" as units
join "kanon_work"."r1_night_large" as large on large.rid = units.origin
