-- cluster/mending/mending_operations
create table "kanon_work"."r1_made" as
with
wanting as (
    select
        row_context.rid,
        row_context.g,
        runs.block
    from "kanon_work"."r1_row_context" as row_context
    join "kanon_work"."r1_violating_groups" as violating on violating.key0 = row_context.g
    join "kanon_work"."r1_runs" as runs on runs.rid = row_context.rid
),
held_s0 as (
    select
        row_context.g,
        units.s0,
        count(*) as m
    from "kanon_work"."r1_row_context" as row_context
    join "kanon_work"."r1_violating_groups" as violating on violating.key0 = row_context.g
    join "kanon_work"."r1_units" as units on units.rid = row_context.rid
    group by row_context.g, units.s0
),
held_s1 as (
    select
        row_context.g,
        units.s1,
        count(*) as m
    from "kanon_work"."r1_row_context" as row_context
    join "kanon_work"."r1_violating_groups" as violating on violating.key0 = row_context.g
    join "kanon_work"."r1_units" as units on units.rid = row_context.rid
    group by row_context.g, units.s1
),
swaps as (
    select
case when held_s0.g is null and more_s0.m > 1 or held_s1.g is null and more_s1.m > 1 then 1 else 3 end as kind,
        wanting.g as wants,
        mover.rid,
        mover.g,
        partner.g as g2,
        partner.rid as rid2,
        mover.n,
        mover.loss,
        partner.n as n2,
        partner.loss as loss2,
        ((case when mover.w_hi0 > partner.a0 then mover.w_hi0 else partner.a0 end) - (case when mover.w_lo0 < partner.a0 then mover.w_lo0 else partner.a0 end)) + (case when (case when mover.w_lo1 < partner.a1 then mover.w_lo1 else partner.a1 end) = (case when mover.w_hi1 > partner.a1 then mover.w_hi1 else partner.a1 end) then 0 when (case when mover.w_lo1 < partner.a1 then mover.w_lo1 else partner.a1 end) >= partner.f1_1 and (case when mover.w_hi1 > partner.a1 then mover.w_hi1 else partner.a1 end) <= partner.t1_1 then 10000 * (partner.t1_1 - partner.f1_1) when (case when mover.w_lo1 < partner.a1 then mover.w_lo1 else partner.a1 end) >= partner.f1_2 and (case when mover.w_hi1 > partner.a1 then mover.w_hi1 else partner.a1 end) <= partner.t1_2 then 10000 * (partner.t1_2 - partner.f1_2) else 1000000 end) + (case when cast(bit_count(((mover.w_b0 | partner.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((mover.w_b0 | partner.m0) & 31)) as bigint)) else 0 end) as loss3,
        ((case when partner.w_hi0 > mover.a0 then partner.w_hi0 else mover.a0 end) - (case when partner.w_lo0 < mover.a0 then partner.w_lo0 else mover.a0 end)) + (case when (case when partner.w_lo1 < mover.a1 then partner.w_lo1 else mover.a1 end) = (case when partner.w_hi1 > mover.a1 then partner.w_hi1 else mover.a1 end) then 0 when (case when partner.w_lo1 < mover.a1 then partner.w_lo1 else mover.a1 end) >= mover.f1_1 and (case when partner.w_hi1 > mover.a1 then partner.w_hi1 else mover.a1 end) <= mover.t1_1 then 10000 * (mover.t1_1 - mover.f1_1) when (case when partner.w_lo1 < mover.a1 then partner.w_lo1 else mover.a1 end) >= mover.f1_2 and (case when partner.w_hi1 > mover.a1 then partner.w_hi1 else mover.a1 end) <= mover.t1_2 then 10000 * (mover.t1_2 - mover.f1_2) else 1000000 end) + (case when cast(bit_count(((partner.w_b0 | mover.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((partner.w_b0 | mover.m0) & 31)) as bigint)) else 0 end) as loss4
    from wanting
    join "kanon_work"."r1_runs" as met on met.block = wanting.block
    join "kanon_work"."r1_row_context" as mover on mover.rid = wanting.rid
    join "kanon_work"."r1_row_context" as partner on partner.rid = met.rid
    join "kanon_work"."r1_units" as given on given.rid = wanting.rid
    join "kanon_work"."r1_units" as taken on taken.rid = met.rid
    left join held_s0 on held_s0.g = wanting.g and held_s0.s0 = taken.s0
    join held_s0 as more_s0 on more_s0.g = wanting.g and more_s0.s0 = given.s0
    left join held_s1 on held_s1.g = wanting.g and held_s1.s1 = taken.s1
    join held_s1 as more_s1 on more_s1.g = wanting.g and more_s1.s1 = given.s1
    where partner.g - wanting.g <> 0
        and (given.s0 <> taken.s0 or given.s1 <> taken.s1)
),
takeovers as (
    select
        boxes.g as wants,
        partner.rid,
        partner.g,
        boxes.g as g2,
        partner.n,
        partner.loss,
        boxes.n as n2,
        boxes.loss as loss2,
        partner.loss_without_row as loss3,
        boxes.loss + (case when partner.a0 > boxes.hi0 then partner.a0 - boxes.hi0 when partner.a0 < boxes.lo0 then boxes.lo0 - partner.a0 else 0 end) + (case when (partner.m0 & 31 & boxes.b0) = (partner.m0 & 31) then 0 when cast(bit_count((boxes.b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + ((case when (case when boxes.lo1 < partner.a1 then boxes.lo1 else partner.a1 end) = (case when boxes.hi1 > partner.a1 then boxes.hi1 else partner.a1 end) then 0 when (case when boxes.lo1 < partner.a1 then boxes.lo1 else partner.a1 end) >= partner.f1_1 and (case when boxes.hi1 > partner.a1 then boxes.hi1 else partner.a1 end) <= partner.t1_1 then 10000 * (partner.t1_1 - partner.f1_1) when (case when boxes.lo1 < partner.a1 then boxes.lo1 else partner.a1 end) >= partner.f1_2 and (case when boxes.hi1 > partner.a1 then boxes.hi1 else partner.a1 end) <= partner.t1_2 then 10000 * (partner.t1_2 - partner.f1_2) else 1000000 end) - boxes.chained) as loss4
    from (
        select distinct
            wanting.g,
            met.rid
        from wanting
        join "kanon_work"."r1_runs" as met on met.block = wanting.block
    ) as meeting
    join "kanon_work"."r1_row_context" as partner on partner.rid = meeting.rid
    join "kanon_work"."r1_boxes" as boxes on boxes.g = meeting.g
    where partner.g - boxes.g <> 0 and partner.n > 5
),
weighed as (
    select
        kind,
        wants,
        rid,
        g,
        g2,
        rid2,
        n * (loss3 - loss) + n2 * (loss4 - loss2) as delta
    from swaps
    union all
    select
        2 as kind,
        wants,
        rid,
        g,
        g2,
        cast(0 as bigint) as rid2,
        (n - 1) * loss3 - n * loss + (n2 + 1) * loss4 - n2 * loss2 as delta
    from takeovers
),
ranked as (
    select
        weighed.*,
        row_number() over (partition by wants, kind order by delta, rid, rid2) as choice
    from weighed
)
select
    rid,
    g,
    g2,
    rid2,
    delta,
    case when kind = 1 then 1 else 0 end as partly,
    row_number() over (order by delta, rid, g2, rid2, kind, wants) as place
from ranked
where choice <= 12
