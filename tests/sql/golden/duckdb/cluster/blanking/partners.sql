-- cluster/blanking/partners
create table "kanon_work"."r1_made" as
with pairs as (
    select
        here.g,
        here.block,
        here.n,
        there.n as n2,
        there.place,
here.own0 + there.own0 + here.own1 + there.own1 + here.own2 + there.own2 as own
        , ((there.own0 * least(here.n + there.z0, 5) * least(there.n - there.z0, 5)) // 25) as there0
        , ((here.own0 * least(there.n + here.z0, 5) * least(here.n - here.z0, 5)) // 25) as here0
        , (here.n - here.z0 + there.n - there.z0) * (((1000000000000 // (1000000 + ((case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) - (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end)) * 70)) * (10000 + case when cast(bit_count(((here.b0 | there.b0) & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) as both0
        , ((there.own1 * least(here.n + there.z1, 5) * least(there.n - there.z1, 5)) // 25) as there1
        , ((here.own1 * least(there.n + here.z1, 5) * least(here.n - here.z1, 5)) // 25) as here1
        , (here.n - here.z1 + there.n - there.z1) * (case when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) = (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) then 1000000 when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) >= there.f1_1 and (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) <= there.t1_1 then (1000000 // (there.t1_1 - there.f1_1 + 1)) else 0 end) as both1
        , ((there.own2 * least(here.n + there.z2, 5) * least(there.n - there.z2, 5)) // 25) as there2
        , ((here.own2 * least(there.n + here.z2, 5) * least(here.n - here.z2, 5)) // 25) as here2
        , (here.n - here.z2 + there.n - there.z2) * (1000000 // (cast(bit_count(((here.b0 | there.b0) & 31)) as bigint))) as both2
    from "kanon_work"."r1_clusters" as here
    join "kanon_work"."r1_clusters" as there on there.block = here.block
    where here.n < 5 and there.g <> here.g
),
valued as (
    select
        g,
        block,
        n,
        n2,
        place,
        own,
both0 + both1 + both2 as plain,
greatest(both0, there0) + greatest(both1, there1) + greatest(both2, there2) as blank_here,
greatest(both0, here0) + greatest(both1, here1) + greatest(both2, here2) as blank_there
    from pairs
),
best as (
    select
        g,
        block,
        min((greatest(own - greatest(plain, blank_here, blank_there), 0) + case when n2 >= 10 then 2199023255552 else 0 end) * 2097152 + place) as choice
    from valued
    group by g, block
)
select
    best.g,
    there.g as g2,
    (best.choice // 2097152) as delta,
    row_number() over (order by best.choice, best.g) as place
from best
join "kanon_work"."r1_clusters" as there on there.block = best.block and there.place = best.choice % 2097152
