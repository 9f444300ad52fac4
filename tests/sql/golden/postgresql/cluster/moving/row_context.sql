-- cluster/moving/row_context
create unlogged table "kanon_work"."r1_made" as
select
    outside.*,
    boxes.n,
    boxes.loss,
    coalesce(cast((outside.w_hi0 - outside.w_lo0) + (case when outside.w_lo1 = outside.w_hi1 then 0 when outside.w_lo1 >= tree_1.f1_1 and outside.w_hi1 <= tree_1.t1_1 then 10000 * (tree_1.t1_1 - tree_1.f1_1) when outside.w_lo1 >= tree_1.f1_2 and outside.w_hi1 <= tree_1.t1_2 then 10000 * (tree_1.t1_2 - tree_1.f1_2) else 1000000 end) + (case when bit_count(cast((outside.w_b0 & 31) as bit(64))) > 1 then 200000 * (bit_count(cast((outside.w_b0 & 31) as bit(64)))) else 0 end) as bigint), 0) as loss_without_row
from (
    select
        rid,
        g
    , a0
    , a1
    , f1_1
    , t1_1
    , f1_2
    , t1_2
    , m0

    , least(coalesce(p_lo0, s_lo0), coalesce(s_lo0, p_lo0)) as w_lo0
    , greatest(coalesce(p_hi0, s_hi0), coalesce(s_hi0, p_hi0)) as w_hi0
    , least(coalesce(p_lo1, s_lo1), coalesce(s_lo1, p_lo1)) as w_lo1
    , greatest(coalesce(p_hi1, s_hi1), coalesce(s_hi1, p_hi1)) as w_hi1
    , (coalesce(p_b0, 0) | coalesce(s_b0, 0)) as w_b0

    from (
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

    , min(rows.a0) over before as p_lo0
    , max(rows.a0) over before as p_hi0
    , min(rows.a1) over before as p_lo1
    , max(rows.a1) over before as p_hi1
    , bit_or(rows.m0) over before as p_b0

    , min(rows.a0) over after as s_lo0
    , max(rows.a0) over after as s_hi0
    , min(rows.a1) over after as s_lo1
    , max(rows.a1) over after as s_hi1
    , bit_or(rows.m0) over after as s_b0

        from "kanon_work"."r1_assignment" as assigned
        join "kanon_work"."r1_rows" as rows on rows.rid = assigned.rid
        where assigned.g in (select g from "kanon_work"."r1_touched_groups")
        window
            before as (partition by assigned.g order by rows.rid rows between unbounded preceding and 1 preceding),
            after as (partition by assigned.g order by rows.rid rows between 1 following and unbounded following)
    ) as around
) as outside
join "kanon_work"."r1_boxes" as boxes on boxes.g = outside.g
left join "kanon_work"."r1_tree_1" as tree_1 on tree_1.a1 = outside.w_lo1
