-- cluster/merging/merged_clusters
create table "kanon_work"."r1_made" as
select
    there.block,
    there.g,
    here.n + there.n as n
    , (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end) as lo0
    , (case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) as hi0
    , (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) as lo1
    , (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) as hi1
    , (here.b0 | there.b0) as b0

    , there.place
    , there.f1_1
    , there.t1_1

    , cast((3000000 - (((1000000000000 // (1000000 + ((case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) - (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end)) * 70)) * (10000 + case when cast(bit_count(((here.b0 | there.b0) & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) - (case when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) = (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) then 1000000 when (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) >= there.f1_1 and (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) <= there.t1_1 then (1000000 // (there.t1_1 - there.f1_1 + 1)) else 0 end) - (1000000 // (cast(bit_count(((here.b0 | there.b0) & 31)) as bigint)))) as bigint) as loss
from "kanon_work"."r1_taken" as taken
join "kanon_work"."r1_clusters" as here on here.g = taken.g
join "kanon_work"."r1_clusters" as there on there.g = taken.g2
union all
select
    kept.block,
    kept.g,
    kept.n
    , kept.lo0
    , kept.hi0
    , kept.lo1
    , kept.hi1
    , kept.b0

    , kept.place
    , kept.f1_1
    , kept.t1_1

    , kept.loss
from "kanon_work"."r1_clusters" as kept
left join (
    select g from "kanon_work"."r1_taken"
    union all
    select g2 from "kanon_work"."r1_taken"
) as gone on gone.g = kept.g
where gone.g is null
