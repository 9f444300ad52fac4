-- nights/accepted_groups
create table "kanon_work"."r1_night_accepted" as
select
    boxes.g as found,
    cast(41 + dense_rank() over (order by labels.label_0 nulls first) as bigint) as g,
    boxes.loss
from "kanon_work"."r1_boxes_1" as boxes
join "kanon_work"."r1_labels" as labels on labels.g = boxes.g
join (
    select
        assigned.g,
        count(*) as n,
        count(case when room.waiting <= 3 then 1 end) as patient
    from "kanon_work"."r1_assignment_1" as assigned
    join "kanon_work"."r1_night_waiting_units" as units on units.rid = assigned.rid
    join "kanon_work"."r1_night_room" as room on room.rid = units.origin
    where assigned.g is not null
    group by assigned.g
) as waited on waited.g = boxes.g
where boxes.loss <= 300000
    or 2 * waited.patient >= waited.n
