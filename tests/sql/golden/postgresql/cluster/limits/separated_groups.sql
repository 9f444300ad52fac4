-- cluster/limits/separated_groups
create unlogged table "kanon_work"."r1_made" as
with classes as (
    select
        rid,
        dense_rank() over (order by t1_2, a2) as class
    from "kanon_work"."r1_rows"
),
broken as (
    select distinct classes.class
    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_boxes" as boxes on boxes.g = assigned.g
    join classes on classes.rid = assigned.rid
    where boxes.loss >= 26000000
)
select
    assigned.rid,
    case when broken.class is null then assigned.g else 99 + broken.class end as g
from "kanon_work"."r1_assignment" as assigned
join classes on classes.rid = assigned.rid
left join broken on broken.class = classes.class
