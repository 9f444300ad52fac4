-- cluster/absorbing/absorb_small_groups
create unlogged table "kanon_work"."r1_made" as
with
meeting as (
    select distinct
        runs.block,
        standing.g
    from "kanon_work"."r1_standing" as standing
    join "kanon_work"."r1_runs" as runs on runs.rid = standing.rid
),
joining as (
    select
        homeless.rid,
        homeless.g,
        min((
            case when boxes.n < 9 then 0 else 18014398509481984 end
            + least((boxes.n + 1) * (boxes.loss - boxes.chained + (case when homeless.a0 > boxes.hi0 then homeless.a0 - boxes.hi0 when homeless.a0 < boxes.lo0 then boxes.lo0 - homeless.a0 else 0 end) + (case when (homeless.m0 & 31 & boxes.b0) = (homeless.m0 & 31) then 0 when bit_count(cast((boxes.b0 & 31) as bit(64))) > 1 then 200000 else 400000 end) + (case when least(boxes.lo1, homeless.a1) = greatest(boxes.hi1, homeless.a1) then 0 when least(boxes.lo1, homeless.a1) >= homeless.f1_1 and greatest(boxes.hi1, homeless.a1) <= homeless.t1_1 then 10000 * (homeless.t1_1 - homeless.f1_1) when least(boxes.lo1, homeless.a1) >= homeless.f1_2 and greatest(boxes.hi1, homeless.a1) <= homeless.t1_2 then 10000 * (homeless.t1_2 - homeless.f1_2) else 1000000 end)) - boxes.n * boxes.loss, 18014398509481983)
        ) * 128 + boxes.g) as packed
    from "kanon_work"."r1_standing" as homeless
    join "kanon_work"."r1_runs" as runs on runs.rid = homeless.rid
    join meeting on meeting.block = runs.block
    join "kanon_work"."r1_boxes" as boxes on boxes.g = meeting.g and boxes.n >= 5
    where homeless.n < 5
    group by homeless.rid, homeless.g
),
chosen as (
    select
        rid,
        g,
        packed % 128 as g2,
        (packed / 128) % 18014398509481984 as cost
    from joining
),
given as (
    select
        chosen.*,
        row_number() over (partition by g2 order by cost, rid) as turn
    from chosen
),
far as (
    select
        rid,
        row_number() over (order by cost desc, rid) as turn
    from chosen
    where cost > 3000000
)
select
    given.rid,
    given.g,
    case when far.rid is null then given.g2 end as g2,
    cast(0 as bigint) as rid2,
    given.cost as delta,
    given.turn as place
from given
left join far on far.rid = given.rid and far.turn <= 3
where given.turn <= 1 or far.rid is not null
