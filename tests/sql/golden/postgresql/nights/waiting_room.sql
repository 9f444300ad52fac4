-- nights/waiting_room
create unlogged table "kanon_work"."r1_night_room" as
select
    placed.rid,
    placed.waiting
from "kanon_work"."r1_night_placed" as placed
join "kanon_work"."r1_night_assigned" as assigned on assigned.rid = placed.rid
where assigned.g is null
    and placed.fate in ('new', 'waiting')
    and coalesce(placed.seen, 0) = 0
