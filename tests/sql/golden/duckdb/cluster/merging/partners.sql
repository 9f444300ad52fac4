-- cluster/merging/partners
create table "kanon_work"."r1_made" as
with best as (
    select
        here.g,
        here.block,
        min((greatest((here.n + there.n) * ((3000000 - (((1000000000000 // (1000000 + ((case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) - (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end)) * 70)) * (10000 + case when cast(bit_count(((here.b0 | there.b0) & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) - (case when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) = (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) then 1000000 when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) >= here.f1_1 and (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) <= here.t1_1 then (1000000 // (here.t1_1 - here.f1_1 + 1)) else 0 end) - (1000000 // (cast(bit_count(((here.b0 | there.b0) & 31)) as bigint))))) - here.n * here.loss - there.n * there.loss, 0) + case when there.n >= 10 then 2199023255552 else 0 end) * 2097152 + there.place) as choice
    from "kanon_work"."r1_clusters" as here
    join "kanon_work"."r1_clusters" as there on there.block = here.block
    where here.n < 5 and there.g <> here.g
    group by here.g, here.block
)
select
    best.g,
    there.g as g2,
    (best.choice // 2097152) as delta,
    row_number() over (order by best.choice, best.g) as place
from best
join "kanon_work"."r1_clusters" as there on there.block = best.block and there.place = best.choice % 2097152
