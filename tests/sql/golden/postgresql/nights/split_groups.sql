-- nights/split_groups
create unlogged table "kanon_work"."r1_night_split" as
with parts as (
    select
        large.g as parent,
        assigned.g as part,
        count(distinct case when large.founder = 1 then large.person_key end) as founders,
        count(*) as n,
        max(large.loss) as whole_loss
    from "kanon_work"."r1_split_assignment_1" as assigned
    join "kanon_work"."r1_night_waiting_units" as units on units.rid = assigned.rid
    join "kanon_work"."r1_night_large" as large on large.rid = units.origin
    group by
        large.g,
        assigned.g
),
parents as (
    select parts.parent
    from parts
    join "kanon_work"."r1_split_boxes_1" as boxes on boxes.g = parts.part
    group by parts.parent
    having count(*) > 1
        and min(parts.founders) >= 10
        and sum(parts.n * boxes.loss) < sum(parts.n * parts.whole_loss)
)
select
    boxes.g as found,
    cast(41 + dense_rank() over (order by labels.label_0 collate "C" nulls first) as bigint) as g,
    boxes.loss
from "kanon_work"."r1_split_boxes_1" as boxes
join "kanon_work"."r1_night_split_found" as labels on labels.g = boxes.g
join parts on parts.part = boxes.g
join parents on parents.parent = parts.parent
