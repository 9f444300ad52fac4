-- cluster/moving/row_context
create table "kanon_work"."r1_made" as
with around as materialized (
    select
        rows.rid,
        assigned.g
    , rows.a0
    , rows.a1
    , rows.f1_1
    , rows.t1_1
    , rows.f1_2
    , rows.t1_2
    , rows.m0

    , bit_or(rows.m0) over before as p_b0

    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_rows" as rows on rows.rid = assigned.rid
    where assigned.g in (select g from "kanon_work"."r1_touched_groups")
    window
        before as (partition by assigned.g order by rows.rid rows between unbounded preceding and 1 preceding)
)
, ends as (
    select
        around.g
        , sum(case when around.a0 = boxes.lo0 then 1 else 0 end) as lows0
        , sum(case when around.a0 = boxes.hi0 then 1 else 0 end) as highs0
        , min(case when around.a0 > boxes.lo0 then around.a0 end) as next_lo0
        , max(case when around.a0 < boxes.hi0 then around.a0 end) as next_hi0
        , sum(case when around.a1 = boxes.lo1 then 1 else 0 end) as lows1
        , sum(case when around.a1 = boxes.hi1 then 1 else 0 end) as highs1
        , min(case when around.a1 > boxes.lo1 then around.a1 end) as next_lo1
        , max(case when around.a1 < boxes.hi1 then around.a1 end) as next_hi1
    , bit_or(around.m0 & around.p_b0) as twice_b0

    from around
    join "kanon_work"."r1_boxes" as boxes on boxes.g = around.g
    group by around.g
)
select old.*
from "kanon_work"."r1_row_context" as old
where not exists (
    select 1
    from "kanon_work"."r1_touched_groups" as touched
    where touched.g = old.g
)
union all
select
    outside.*,
    coalesce(cast((outside.w_hi0 - outside.w_lo0) + (case when outside.w_lo1 = outside.w_hi1 then 0 when outside.w_lo1 >= tree_1.f1_1 and outside.w_hi1 <= tree_1.t1_1 then 10000 * (tree_1.t1_1 - tree_1.f1_1) when outside.w_lo1 >= tree_1.f1_2 and outside.w_hi1 <= tree_1.t1_2 then 10000 * (tree_1.t1_2 - tree_1.f1_2) else 1000000 end) + (case when cast(bit_count((outside.w_b0 & 31)) as bigint) > 1 then 200000 * (cast(bit_count((outside.w_b0 & 31)) as bigint)) else 0 end) as bigint), 0) as loss_without_row
from (
    select
        around.rid,
        around.g
    , around.a0
    , around.a1
    , around.f1_1
    , around.t1_1
    , around.f1_2
    , around.t1_2
    , around.m0

    , case when around.a0 = boxes.lo0 and ends.lows0 = 1 then ends.next_lo0 else boxes.lo0 end as w_lo0
    , case when around.a0 = boxes.hi0 and ends.highs0 = 1 then ends.next_hi0 else boxes.hi0 end as w_hi0
    , case when around.a1 = boxes.lo1 and ends.lows1 = 1 then ends.next_lo1 else boxes.lo1 end as w_lo1
    , case when around.a1 = boxes.hi1 and ends.highs1 = 1 then ends.next_hi1 else boxes.hi1 end as w_hi1
    , ((boxes.b0 - around.m0) | coalesce(ends.twice_b0, 0)) as w_b0

        , boxes.n
        , boxes.loss
    from around
    join "kanon_work"."r1_boxes" as boxes on boxes.g = around.g
    join ends on ends.g = around.g
) as outside
left join "kanon_work"."r1_tree_1" as tree_1 on tree_1.a1 = outside.w_lo1
