-- cluster/growing/leftovers
insert into "kanon_work"."r1_grown"
with latest as (
    select
        places.*,
        row_number() over (partition by g order by n desc) as place
    from "kanon_work"."r1_grown" as places
    where turn <> 0 and block in (select block from "kanon_work"."r1_free_rows")
),
joining as (
    select
        free.block,
        nearby.g,
        nearby.n + 1 as n,
        free.rid,
        (nearby.n + 1) * (((case when nearby.hi0 > free.a0 then nearby.hi0 else free.a0 end) - (case when nearby.lo0 < free.a0 then nearby.lo0 else free.a0 end)) + (case when (case when nearby.lo1 < free.a1 then nearby.lo1 else free.a1 end) = (case when nearby.hi1 > free.a1 then nearby.hi1 else free.a1 end) then 0 when (case when nearby.lo1 < free.a1 then nearby.lo1 else free.a1 end) >= free.f1_1 and (case when nearby.hi1 > free.a1 then nearby.hi1 else free.a1 end) <= free.t1_1 then 10000 * (free.t1_1 - free.f1_1) else 1000000 end) + (case when cast(bit_count(((nearby.b0 | free.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((nearby.b0 | free.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint)) else 0 end)) - nearby.n * (((case when nearby.hi0 > member.a0 then nearby.hi0 else member.a0 end) - (case when nearby.lo0 < member.a0 then nearby.lo0 else member.a0 end)) + (case when (case when nearby.lo1 < member.a1 then nearby.lo1 else member.a1 end) = (case when nearby.hi1 > member.a1 then nearby.hi1 else member.a1 end) then 0 when (case when nearby.lo1 < member.a1 then nearby.lo1 else member.a1 end) >= member.f1_1 and (case when nearby.hi1 > member.a1 then nearby.hi1 else member.a1 end) <= member.t1_1 then 10000 * (member.t1_1 - member.f1_1) else 1000000 end) + (case when cast(bit_count(((nearby.b0 | member.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((nearby.b0 | member.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((nearby.b0 | member.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((nearby.b0 | member.m0) & 96)) as bigint)) else 0 end)) as cost
    , (case when nearby.lo0 < free.a0 then nearby.lo0 else free.a0 end) as lo0
    , (case when nearby.hi0 > free.a0 then nearby.hi0 else free.a0 end) as hi0
    , (case when nearby.lo1 < free.a1 then nearby.lo1 else free.a1 end) as lo1
    , (case when nearby.hi1 > free.a1 then nearby.hi1 else free.a1 end) as hi1
    , (nearby.b0 | free.m0) as b0

    from "kanon_work"."r1_free_rows" as free
    join latest as nearby on nearby.block = free.block and nearby.place = 1
    join "kanon_work"."r1_rows" as member on member.rid = nearby.g
),
chosen as (
    select
        joining.*,
        row_number() over (partition by rid order by cost, g) as choice
    from joining
),
given as (
    select
        chosen.*,
        row_number() over (partition by g order by cost, rid) as given_place
    from chosen
    where choice = 1
)
select
    block,
    9 as turn,
    n,
    g,
    rid
    , lo0
    , hi0
    , lo1
    , hi1
    , b0

from given
where given_place = 1
