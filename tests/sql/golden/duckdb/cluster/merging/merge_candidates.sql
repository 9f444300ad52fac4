-- cluster/merging/merge_candidates
create table "kanon_work"."r1_made" as
with meeting as (
    select distinct
        runs.block,
        members.g
    from "kanon_work"."r1_assignment" as members
    join "kanon_work"."r1_runs" as runs on runs.rid = members.rid
    where members.g is not null
),
pairs as (
    select distinct
        meeting.g,
        others.g as g2
    from meeting
    join "kanon_work"."r1_violating_groups" as violating on violating.key0 = meeting.g
    join meeting as others on others.block = meeting.block
    where others.g <> meeting.g
),
joined as (
    select
        here.g,
        there.g as g2,
        here.n,
        there.n as n2,
        here.loss,
        there.loss as loss2
    , (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end) as lo0
    , (case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) as hi0
    , (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) as lo1
    , (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) as hi1
    , (here.b0 | there.b0) as b0

    from pairs
    join "kanon_work"."r1_boxes" as here on here.g = pairs.g
    join "kanon_work"."r1_boxes" as there on there.g = pairs.g2
),
costed as (
    select
        joined.g,
        joined.g2,
        (joined.n + joined.n2) * ((joined.hi0 - joined.lo0) + (case when joined.lo1 = joined.hi1 then 0 when joined.lo1 >= tree_1.f1_1 and joined.hi1 <= tree_1.t1_1 then 10000 * (tree_1.t1_1 - tree_1.f1_1) when joined.lo1 >= tree_1.f1_2 and joined.hi1 <= tree_1.t1_2 then 10000 * (tree_1.t1_2 - tree_1.f1_2) else 1000000 end) + (case when cast(bit_count((joined.b0 & 31)) as bigint) > 1 then 200000 * (cast(bit_count((joined.b0 & 31)) as bigint)) else 0 end)) - joined.n * joined.loss - joined.n2 * joined.loss2 as delta
    from joined
left join "kanon_work"."r1_tree_1" as tree_1 on tree_1.a1 = joined.lo1

),
best as (
    select
        costed.*,
        row_number() over (partition by g order by delta, g2) as choice
    from costed
)
select
    g,
    g2,
    delta,
    row_number() over (order by delta, g) as place
from best
where choice = 1
