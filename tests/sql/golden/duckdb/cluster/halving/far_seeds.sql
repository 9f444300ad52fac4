-- cluster/halving/far_seeds
create table "kanon_work"."r1_made" as
select
    open.g,
    open.rid
    , open.a0 as lo0
    , open.a0 as hi0
    , open.a1 as lo1
    , open.a1 as hi1
    , open.m0 as b0

from "kanon_work"."r1_open_rows" as open
join (
    select
        open.g,
        4294967296 - 1 - max((((case when seed.hi0 > open.a0 then seed.hi0 else open.a0 end) - (case when seed.lo0 < open.a0 then seed.lo0 else open.a0 end)) + (case when (case when seed.lo1 < open.a1 then seed.lo1 else open.a1 end) = (case when seed.hi1 > open.a1 then seed.hi1 else open.a1 end) then 0 when (case when seed.lo1 < open.a1 then seed.lo1 else open.a1 end) >= open.f1_1 and (case when seed.hi1 > open.a1 then seed.hi1 else open.a1 end) <= open.t1_1 then 10000 * (open.t1_1 - open.f1_1) else 1000000 end) + (case when cast(bit_count(((seed.b0 | open.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((seed.b0 | open.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((seed.b0 | open.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((seed.b0 | open.m0) & 96)) as bigint)) else 0 end)) * 4294967296 + (4294967296 - 1 - open.rid)) % 4294967296 as rid
    from "kanon_work"."r1_open_rows" as open
    join "kanon_work"."r1_left_seeds" as seed on seed.g = open.g
    group by open.g
) as chosen on chosen.g = open.g and chosen.rid = open.rid
