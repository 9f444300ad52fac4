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
        0 + (abs(nearby.n * free.a0 - nearby.sum0) // nearby.n) * 100000 + case when (nearby.b0 & free.m0 & 31) <> 0 then 0 else 25000000000 end + case when free.a1 between nearby.lo1 and nearby.hi1 then 0 else 14285714285 end + (case when cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint)) else 0 end) * 100000 as cost
    , (case when nearby.lo0 < free.a0 then nearby.lo0 else free.a0 end) as lo0
    , (case when nearby.hi0 > free.a0 then nearby.hi0 else free.a0 end) as hi0
    , (case when nearby.lo1 < free.a1 then nearby.lo1 else free.a1 end) as lo1
    , (case when nearby.hi1 > free.a1 then nearby.hi1 else free.a1 end) as hi1
    , (nearby.b0 | free.m0) as b0
    , nearby.sum0 + free.a0 as sum0

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
    , sum0

from given
where given_place = 1
