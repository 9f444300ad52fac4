-- cluster/moving/candidates
create table "kanon_work"."r1_made" as
with
moving as (
    select
        row_context.rid,
        row_context.g,
        runs.block,
        case when row_context.n < 5 then 1152921504606846976 else 2 * row_context.n * (row_context.loss - row_context.loss_without_row) end as saved
    , row_context.a0
    , row_context.a1
    , row_context.f1_1
    , row_context.t1_1
    , row_context.f1_2
    , row_context.t1_2
    , row_context.m0

        , row_context.loss_without_row
    from "kanon_work"."r1_row_context" as row_context
    join "kanon_work"."r1_runs" as runs on runs.rid = row_context.rid
    where (
        row_context.loss > row_context.loss_without_row
        or row_context.n <> 5
        or row_context.loss > 0
    )
),
meeting as (
    select distinct
        runs.block,
        members.g
    from "kanon_work"."r1_row_context" as members
    join "kanon_work"."r1_runs" as runs on runs.rid = members.rid
    where members.g is not null
),
targets as materialized (
    select
        meeting.block,
        boxes.*
    from meeting
    join "kanon_work"."r1_boxes" as boxes on boxes.g = meeting.g
),
near as materialized (
    select
        rid,
        g2,
        saved,
        added
    from (
        select
            moving.rid,
            boxes.g as g2,
            boxes.n as n2,
            moving.saved,
            boxes.loss as loss2,
            moving.loss_without_row,
            cast((case when moving.a0 > boxes.hi0 then moving.a0 - boxes.hi0 when moving.a0 < boxes.lo0 then boxes.lo0 - moving.a0 else 0 end) + (case when (moving.m0 & 31 & boxes.b0) = (moving.m0 & 31) then 0 when cast(bit_count((boxes.b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + ((case when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) = (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) then 0 when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) >= moving.f1_1 and (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) <= moving.t1_1 then 10000 * (moving.t1_1 - moving.f1_1) when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) >= moving.f1_2 and (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) <= moving.t1_2 then 10000 * (moving.t1_2 - moving.f1_2) else 1000000 end) - boxes.chained) as bigint) as added
        from moving
        join targets as boxes on boxes.block = moving.block
        where boxes.g <> moving.g
    ) as pairs
    where (
        n2 * added < saved
        or n2 * added + loss2 + added - loss_without_row < saved + 100
        or n2 < 5
    )
),
joining as (
    select
        near.rid,
        near.g2,
        near.saved,
        boxes.n as n2,
        boxes.loss as loss2,
        moving.loss_without_row,
        near.added as added
    from near
    join "kanon_work"."r1_row_context" as moving on moving.rid = near.rid
    join "kanon_work"."r1_boxes" as boxes on boxes.g = near.g2
),
weighed as (
    select
        rid,
        g2,
        n2 * added + loss2 + added + case when n2 < 5 then 0 else 50 end as cost
    from joining
    where (
        n2 * added < saved
        or n2 * added + loss2 + added - loss_without_row < saved + 100
        or n2 < 5
    )
),
nearest as (
    select
        rid,
        unnest(min(cost * 128 + g2, 3)) as packed
    from weighed
    where cost < 36028797018963968
    group by rid
),
chosen as (
    select
        rid,
        packed % 128 as g2,
        (packed // 128) as cost
    from nearest
)
select
    chosen.rid,
    chosen.g2,
    boxes.n as n2,
    boxes.loss as loss2,
    boxes.loss + ((chosen.cost - boxes.loss - case when boxes.n < 5 then 0 else 50 end) // (boxes.n + 1)) as loss3
from chosen
join "kanon_work"."r1_boxes" as boxes on boxes.g = chosen.g2
