-- cluster/merging/merged_clusters
create table "kanon_work"."r1_made" as
select
    merged.*
    , (merged.n - merged.z0) * (((1000000000000 // (1000000 + (merged.hi0 - merged.lo0) * 70)) * (10000 + case when cast(bit_count((merged.b0 & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) as own0
    , (merged.n - merged.z1) * (case when merged.lo1 = merged.hi1 then 1000000 when merged.lo1 >= merged.f1_1 and merged.hi1 <= merged.t1_1 then (1000000 // (merged.t1_1 - merged.f1_1 + 1)) else 0 end) as own1
    , (merged.n - merged.z2) * (1000000 // (cast(bit_count((merged.b0 & 31)) as bigint))) as own2

from (
    select
        there.block,
        there.g,
        here.n + there.n as n
    , case when mergers.blank_here & 1 <> 0 then there.lo0 when mergers.blank_there & 1 <> 0 then here.lo0 else (case when here.lo0 < there.lo0 then here.lo0 else there.lo0 end) end as lo0
    , case when mergers.blank_here & 1 <> 0 then there.hi0 when mergers.blank_there & 1 <> 0 then here.hi0 else (case when here.hi0 > there.hi0 then here.hi0 else there.hi0 end) end as hi0
    , case when mergers.blank_here & 2 <> 0 then there.lo1 when mergers.blank_there & 2 <> 0 then here.lo1 else (case when here.lo1 < there.lo1 then here.lo1 else there.lo1 end) end as lo1
    , case when mergers.blank_here & 2 <> 0 then there.hi1 when mergers.blank_there & 2 <> 0 then here.hi1 else (case when here.hi1 > there.hi1 then here.hi1 else there.hi1 end) end as hi1
    , ((case when mergers.blank_here & 4 <> 0 then there.b0 when mergers.blank_there & 4 <> 0 then here.b0 else (here.b0 | there.b0) end) & 31) | ((case when mergers.blank_here & 1 <> 0 then there.b0 when mergers.blank_there & 1 <> 0 then here.b0 else (here.b0 | there.b0) end) & 96) as b0

        , there.place
    , case when mergers.blank_there & 2 <> 0 then here.f1_1 else there.f1_1 end as f1_1
    , case when mergers.blank_there & 2 <> 0 then here.t1_1 else there.t1_1 end as t1_1

    , case when mergers.blank_here & 1 <> 0 then here.n + there.z0 when mergers.blank_there & 1 <> 0 then here.z0 + there.n else here.z0 + there.z0 end as z0
    , case when mergers.blank_here & 2 <> 0 then here.n + there.z1 when mergers.blank_there & 2 <> 0 then here.z1 + there.n else here.z1 + there.z1 end as z1
    , case when mergers.blank_here & 4 <> 0 then here.n + there.z2 when mergers.blank_there & 4 <> 0 then here.z2 + there.n else here.z2 + there.z2 end as z2

    from "kanon_work"."r1_mergers" as mergers
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

    , unmerged.z0
    , unmerged.z1
    , unmerged.z2

    , unmerged.own0
    , unmerged.own1
    , unmerged.own2

from "kanon_work"."r1_clusters" as unmerged
left join (
    select g from "kanon_work"."r1_mergers"
    union all
    select g2 from "kanon_work"."r1_mergers"
) as merging on merging.g = unmerged.g
where merging.g is null
