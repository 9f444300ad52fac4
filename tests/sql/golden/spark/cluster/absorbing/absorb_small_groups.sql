-- cluster/absorbing/absorb_small_groups
create table `kanon_work`.`r1_made` as
with
meeting as (
    select distinct
        runs.block,
        members.g
    from `kanon_work`.`r1_row_context` as members
    join `kanon_work`.`r1_runs` as runs on runs.rid = members.rid
    where members.g is not null
),
joining as (
    select
        leaving.rid,
        leaving.g,
        min((
            case when boxes.n < 9 then 0 else 18014398509481984 end
            + least((boxes.n + 1) * (boxes.loss + (case when leaving.a0 > boxes.hi0 then leaving.a0 - boxes.hi0 when leaving.a0 < boxes.lo0 then boxes.lo0 - leaving.a0 else 0 end) + (case when (leaving.m0 & 31 & boxes.b0) = (leaving.m0 & 31) then 0 when cast(bit_count((boxes.b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + ((case when least(boxes.lo1, leaving.a1) = greatest(boxes.hi1, leaving.a1) then 0 when least(boxes.lo1, leaving.a1) >= leaving.f1_1 and greatest(boxes.hi1, leaving.a1) <= leaving.t1_1 then 10000 * (leaving.t1_1 - leaving.f1_1) when least(boxes.lo1, leaving.a1) >= leaving.f1_2 and greatest(boxes.hi1, leaving.a1) <= leaving.t1_2 then 10000 * (leaving.t1_2 - leaving.f1_2) else 1000000 end) - boxes.chained)) - boxes.n * boxes.loss, 18014398509481983)
        ) * 128 + boxes.g) as packed
    from `kanon_work`.`r1_row_context` as leaving
    join `kanon_work`.`r1_runs` as runs on runs.rid = leaving.rid
    join meeting on meeting.block = runs.block
    join `kanon_work`.`r1_boxes` as boxes on boxes.g = meeting.g and boxes.n >= 5
    where leaving.n < 5
    group by leaving.rid, leaving.g
),
chosen as (
    select
        rid,
        g,
        packed % 128 as g2,
        (packed div 128) % 18014398509481984 as cost
    from joining
),
given as (
    select
        chosen.*,
        row_number() over (partition by g2 order by cost, rid) as turn
    from chosen
),
outliers as (
    select
        rid,
        row_number() over (order by cost desc, rid) as turn
    from chosen
    where cost > 3000000
)
select
    given.rid,
    given.g,
    case when outliers.rid is null then given.g2 end as g2,
    cast(0 as bigint) as rid2,
    given.cost as delta,
    given.turn as place
from given
left join outliers on outliers.rid = given.rid and outliers.turn <= 3
where given.turn <= 1 or outliers.rid is not null
