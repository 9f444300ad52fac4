-- cluster/absorbing/costliest_groups
create unlogged table "kanon_work"."r1_made" as
with costliest as (
    select
        g,
        n * loss as cost
    from "kanon_work"."r1_boxes"
    where n < 10 and loss > 0
    order by loss desc, g
    limit 10
),
joining as (
    select
        leaving.rid,
        leaving.g,
min((boxes.n + 1) * (boxes.loss + (case when leaving.a0 > boxes.hi0 then leaving.a0 - boxes.hi0 when leaving.a0 < boxes.lo0 then boxes.lo0 - leaving.a0 else 0 end) + (case when (leaving.m0 & 31 & boxes.b0) = (leaving.m0 & 31) then 0 when bit_count(cast((boxes.b0 & 31) as bit(64))) > 1 then 200000 else 400000 end) + ((case when least(boxes.lo1, leaving.a1) = greatest(boxes.hi1, leaving.a1) then 0 when least(boxes.lo1, leaving.a1) >= leaving.f1_1 and greatest(boxes.hi1, leaving.a1) <= leaving.t1_1 then 10000 * (leaving.t1_1 - leaving.f1_1) when least(boxes.lo1, leaving.a1) >= leaving.f1_2 and greatest(boxes.hi1, leaving.a1) <= leaving.t1_2 then 10000 * (leaving.t1_2 - leaving.f1_2) else 1000000 end) - boxes.chained)) - boxes.n * boxes.loss) as cost
    from "kanon_work"."r1_row_context" as leaving
    join costliest on costliest.g = leaving.g
    join "kanon_work"."r1_boxes" as boxes on boxes.n >= 5
    left join costliest as others on others.g = boxes.g
    where others.g is null
    group by leaving.rid, leaving.g
)
select joining.g as key0
from joining
join costliest on costliest.g = joining.g
join "kanon_work"."r1_boxes" as own on own.g = joining.g
group by joining.g, costliest.cost, own.n
having count(*) = own.n and sum(joining.cost) < costliest.cost
