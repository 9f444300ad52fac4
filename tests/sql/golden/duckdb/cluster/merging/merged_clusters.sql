-- cluster/merging/merged_clusters
create table "kanon_work"."r1_made" as
select
    merged.*
    , cast((3000000 - (((1000000000000 // (1000000 + (merged.hi0 - merged.lo0) * 70)) * (10000 + case when cast(bit_count((merged.b0 & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) - (case when merged.lo1 = merged.hi1 then 1000000 when merged.lo1 >= merged.f1_1 and merged.hi1 <= merged.t1_1 then (1000000 // (merged.t1_1 - merged.f1_1 + 1)) else 0 end) - (1000000 // (cast(bit_count((merged.b0 & 31)) as bigint)))) as bigint) as loss

from (
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
    , there.f1_1 as f1_1
    , there.t1_1 as t1_1


    from "kanon_work"."r1_chosen_moves" as mergers
    join "kanon_work"."r1_clusters" as here on here.g = mergers.g
    join "kanon_work"."r1_clusters" as there on there.g = mergers.g2
) as merged
union all
select
    unmerged.block,
    unmerged.g,
    unmerged.n
    , unmerged.lo0
    , unmerged.hi0
    , unmerged.lo1
    , unmerged.hi1
    , unmerged.b0

    , unmerged.place
    , unmerged.f1_1
    , unmerged.t1_1


    , unmerged.loss

from "kanon_work"."r1_clusters" as unmerged
left join (
    select g from "kanon_work"."r1_chosen_moves"
    union all
    select g2 from "kanon_work"."r1_chosen_moves"
) as merging on merging.g = unmerged.g
where merging.g is null
