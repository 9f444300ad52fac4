-- cluster/growing/leftovers
insert into `kanon_work`.`r1_grown`
with latest as (
    select
        places.*,
        row_number() over (partition by g order by n desc) as place
    from `kanon_work`.`r1_grown` as places
    where turn <> 0 and block in (select block from `kanon_work`.`r1_free_rows`)
),
joining as (
    select
        free.block,
        nearby.g,
        nearby.n + 1 as n,
        free.rid,
        (nearby.n + 1) * ((greatest(nearby.hi0, free.a0) - least(nearby.lo0, free.a0)) + (case when least(nearby.lo1, free.a1) = greatest(nearby.hi1, free.a1) then 0 when least(nearby.lo1, free.a1) >= free.f1_1 and greatest(nearby.hi1, free.a1) <= free.t1_1 then 10000 * (free.t1_1 - free.f1_1) else 1000000 end) + (case when cast(bit_count(((nearby.b0 | free.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((nearby.b0 | free.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((nearby.b0 | free.m0) & 96)) as bigint)) else 0 end)) - nearby.n * ((greatest(nearby.hi0, member.a0) - least(nearby.lo0, member.a0)) + (case when least(nearby.lo1, member.a1) = greatest(nearby.hi1, member.a1) then 0 when least(nearby.lo1, member.a1) >= member.f1_1 and greatest(nearby.hi1, member.a1) <= member.t1_1 then 10000 * (member.t1_1 - member.f1_1) else 1000000 end) + (case when cast(bit_count(((nearby.b0 | member.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((nearby.b0 | member.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((nearby.b0 | member.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((nearby.b0 | member.m0) & 96)) as bigint)) else 0 end)) as cost
    , least(nearby.lo0, free.a0) as lo0
    , greatest(nearby.hi0, free.a0) as hi0
    , least(nearby.lo1, free.a1) as lo1
    , greatest(nearby.hi1, free.a1) as hi1
    , (nearby.b0 | free.m0) as b0

    from `kanon_work`.`r1_free_rows` as free
    join latest as nearby on nearby.block = free.block and nearby.place = 1
    join `kanon_work`.`r1_rows` as member on member.rid = nearby.g
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
