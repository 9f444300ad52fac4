-- cluster/moving/box_table
create table "kanon_work"."r1_made" as
select old.*
from "kanon_work"."r1_boxes" as old
where not exists (
    select 1
    from "kanon_work"."r1_touched_groups" as touched
    where touched.g = old.g
)
union all
select
    box.*,
    cast((box.hi0 - box.lo0) + (case when box.lo1 = box.hi1 then 0 when box.lo1 >= tree_1.f1_1 and box.hi1 <= tree_1.t1_1 then 10000 * (tree_1.t1_1 - tree_1.f1_1) when box.lo1 >= tree_1.f1_2 and box.hi1 <= tree_1.t1_2 then 10000 * (tree_1.t1_2 - tree_1.f1_2) else 1000000 end) + (case when cast(bit_count((box.b0 & 31)) as bigint) > 1 then 200000 * (cast(bit_count((box.b0 & 31)) as bigint)) else 0 end) as bigint) as loss
    , (case when box.lo1 = box.hi1 then 0 when box.lo1 >= tree_1.f1_1 and box.hi1 <= tree_1.t1_1 then 10000 * (tree_1.t1_1 - tree_1.f1_1) when box.lo1 >= tree_1.f1_2 and box.hi1 <= tree_1.t1_2 then 10000 * (tree_1.t1_2 - tree_1.f1_2) else 1000000 end) as chained

from (
    select
        assigned.g,
        count(*) as n
    , min(rows.a0) as lo0
    , max(rows.a0) as hi0
    , min(rows.a1) as lo1
    , max(rows.a1) as hi1
    , bit_or(rows.m0) as b0

    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_rows" as rows on rows.rid = assigned.rid
    where assigned.g in (select g from "kanon_work"."r1_touched_groups")
    group by assigned.g
) as box
left join "kanon_work"."r1_tree_1" as tree_1 on tree_1.a1 = box.lo1
