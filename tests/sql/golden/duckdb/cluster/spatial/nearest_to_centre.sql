-- cluster/spatial/nearest_to_centre
insert into "kanon_work"."r1_grown"
select
    block,
    3 as turn,
    3 as n,
    g,
    rid
    , lo0
    , hi0
    , lo1
    , hi1
    , b0
    , sum0

from (
    select
        free.block,
        growing.g,
        free.rid,
        row_number() over (partition by free.block order by 0 + (abs(growing.n * free.a0 - growing.sum0) // growing.n) * 100000 + case when (growing.b0 & free.m0 & 31) <> 0 then 0 else free.e2 end + case when free.a1 between growing.lo1 and growing.hi1 then 0 else free.e1 end + (case when cast(bit_count(((growing.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((growing.b0 | free.m0) & 96)) as bigint)) else 0 end) * 100000, free.rid) as place
    , (case when growing.lo0 < free.a0 then growing.lo0 else free.a0 end) as lo0
    , (case when growing.hi0 > free.a0 then growing.hi0 else free.a0 end) as hi0
    , (case when growing.lo1 < free.a1 then growing.lo1 else free.a1 end) as lo1
    , (case when growing.hi1 > free.a1 then growing.hi1 else free.a1 end) as hi1
    , (growing.b0 | free.m0) as b0
    , growing.sum0 + free.a0 as sum0

    from "kanon_work"."r1_seed_distances" as free
    join "kanon_work"."r1_grown" as growing on growing.block = free.block
    where growing.turn = 3 and growing.n = 2
) as weighed
where place = 1
