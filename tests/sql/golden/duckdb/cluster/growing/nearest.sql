-- cluster/growing/nearest
insert into "kanon_work"."r1_grown"
select
    free.block,
    3 as turn,
    3 as n,
    growing.g,
    free.rid
    , (case when growing.lo0 < free.a0 then growing.lo0 else free.a0 end) as lo0
    , (case when growing.hi0 > free.a0 then growing.hi0 else free.a0 end) as hi0
    , (case when growing.lo1 < free.a1 then growing.lo1 else free.a1 end) as lo1
    , (case when growing.hi1 > free.a1 then growing.hi1 else free.a1 end) as hi1
    , (growing.b0 | free.m0) as b0

from "kanon_work"."r1_grown" as growing
join (
    select
        free.block,
        min((((case when growing.hi0 > free.a0 then growing.hi0 else free.a0 end) - (case when growing.lo0 < free.a0 then growing.lo0 else free.a0 end)) + (case when (case when growing.lo1 < free.a1 then growing.lo1 else free.a1 end) = (case when growing.hi1 > free.a1 then growing.hi1 else free.a1 end) then 0 when (case when growing.lo1 < free.a1 then growing.lo1 else free.a1 end) >= free.f1_1 and (case when growing.hi1 > free.a1 then growing.hi1 else free.a1 end) <= free.t1_1 then 10000 * (free.t1_1 - free.f1_1) else 1000000 end) + (case when cast(bit_count(((growing.b0 | free.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((growing.b0 | free.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((growing.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((growing.b0 | free.m0) & 96)) as bigint)) else 0 end)) * 4294967296 + free.rid) % 4294967296 as rid
    from "kanon_work"."r1_free_rows" as free
    join "kanon_work"."r1_grown" as growing on growing.block = free.block
    where growing.turn = 3 and growing.n = 2
    group by free.block
) as chosen on chosen.block = growing.block
join "kanon_work"."r1_free_rows" as free on free.block = chosen.block and free.rid = chosen.rid
where growing.turn = 3 and growing.n = 2
