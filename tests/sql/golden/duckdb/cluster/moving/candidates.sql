-- cluster/moving/candidates
create table "kanon_work"."r1_made" as
with moving as (
    select
        standing.rid,
        standing.g,
        standing.n,
        standing.loss,
        standing.lossw,
        runs.block
    , standing.a0
    , standing.a1
    , standing.f1_1
    , standing.t1_1
    , standing.f1_2
    , standing.t1_2
    , standing.m0

    from "kanon_work"."r1_standing" as standing
    join "kanon_work"."r1_runs" as runs on runs.rid = standing.rid
    where standing.loss > standing.lossw
        or standing.n < 5
        or standing.loss > 0
        or standing.n > 5
),
meeting as (
    select distinct
        runs.block,
        standing.g
    from "kanon_work"."r1_standing" as standing
    join "kanon_work"."r1_runs" as runs on runs.rid = standing.rid
),
joining as (
    select
        moving.rid,
        moving.g,
        boxes.g as g2,
        moving.n,
        boxes.n as n2,
        moving.loss,
        moving.lossw,
        boxes.loss as loss2,
        cast(boxes.loss - boxes.chained + (case when moving.a0 > boxes.hi0 then moving.a0 - boxes.hi0 when moving.a0 < boxes.lo0 then boxes.lo0 - moving.a0 else 0 end) + (case when (moving.m0 & 31 & boxes.b0) = (moving.m0 & 31) then 0 when cast(bit_count((boxes.b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + (case when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) = (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) then 0 when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) >= moving.f1_1 and (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) <= moving.t1_1 then 10000 * (moving.t1_1 - moving.f1_1) when (case when boxes.lo1 < moving.a1 then boxes.lo1 else moving.a1 end) >= moving.f1_2 and (case when boxes.hi1 > moving.a1 then boxes.hi1 else moving.a1 end) <= moving.t1_2 then 10000 * (moving.t1_2 - moving.f1_2) else 1000000 end) as bigint) as loss3
    from moving
    join meeting on meeting.block = moving.block
    join "kanon_work"."r1_boxes" as boxes on boxes.g = meeting.g
    where boxes.g <> moving.g
        -- A row of a group that loses nothing goes only where rows are missing.
        and (moving.loss > 0 or moving.n < 5 or boxes.n < 5)
),
ranked as (
    select
        joining.*,
        row_number() over (
            partition by rid
            order by n2 * (loss3 - loss2) + loss3 - case when n2 < 5 then 50 else 0 end, g2
        ) as place
    from joining
    where n2 * (loss3 - loss2) < 2 * n * (loss - lossw)
        or n2 * (loss3 - loss2) + loss3 - lossw < 2 * n * (loss - lossw) + 100
        or n2 < 5
        or n < 5
)
select
    rid,
    g,
    g2,
    n,
    n2,
    loss,
    lossw,
    loss2,
    loss3
from ranked
where place <= 3
