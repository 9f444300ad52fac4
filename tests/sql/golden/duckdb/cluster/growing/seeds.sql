-- cluster/growing/seeds
insert into "kanon_work"."r1_grown"
select
    free.block,
    3 as turn,
    1 as n,
    free.rid as g,
    free.rid
    , free.a0 as lo0
    , free.a0 as hi0
    , free.a1 as lo1
    , free.a1 as hi1
    , free.m0 as b0

from "kanon_work"."r1_free_rows" as free
join (
    select
        free.block,
        4294967296 - 1 - max((((case when last.hi0 > free.a0 then last.hi0 else free.a0 end) - (case when last.lo0 < free.a0 then last.lo0 else free.a0 end)) + (case when (case when last.lo1 < free.a1 then last.lo1 else free.a1 end) = (case when last.hi1 > free.a1 then last.hi1 else free.a1 end) then 0 when (case when last.lo1 < free.a1 then last.lo1 else free.a1 end) >= free.f1_1 and (case when last.hi1 > free.a1 then last.hi1 else free.a1 end) <= free.t1_1 then 10000 * (free.t1_1 - free.f1_1) else 1000000 end) + (case when cast(bit_count(((last.b0 | free.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((last.b0 | free.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((last.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((last.b0 | free.m0) & 96)) as bigint)) else 0 end)) * 4294967296 + (4294967296 - 1 - free.rid)) % 4294967296 as rid
    from "kanon_work"."r1_free_rows" as free
    join (
        select
            places.*,
            row_number() over (partition by block order by turn desc, n desc) as place
        from "kanon_work"."r1_grown" as places
        where turn = 2
    ) as last on last.block = free.block and last.place = 1
    group by free.block
    having count(*) >= 5
) as chosen on chosen.block = free.block and chosen.rid = free.rid
