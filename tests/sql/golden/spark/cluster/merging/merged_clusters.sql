-- cluster/merging/merged_clusters
create table `kanon_work`.`r1_made` as
select
    there.block,
    there.g,
    here.n + there.n as n
    , least(here.lo0, there.lo0) as lo0
    , greatest(here.hi0, there.hi0) as hi0
    , least(here.lo1, there.lo1) as lo1
    , greatest(here.hi1, there.hi1) as hi1
    , (here.b0 | there.b0) as b0

    , there.place
    , there.f1_1
    , there.t1_1

    , cast((3000000 - (((1000000000000 div (1000000 + (greatest(here.hi0, there.hi0) - least(here.lo0, there.lo0)) * 70)) * (10000 + case when cast(bit_count(((here.b0 | there.b0) & 96)) as bigint) > 1 then 0 else 25000 end)) div 35000) - (case when least(here.lo1, there.lo1) = greatest(here.hi1, there.hi1) then 1000000 when least(here.lo1, there.lo1) >= there.f1_1 and greatest(here.hi1, there.hi1) <= there.t1_1 then (1000000 div (there.t1_1 - there.f1_1 + 1)) else 0 end) - (1000000 div (cast(bit_count(((here.b0 | there.b0) & 31)) as bigint)))) as bigint) as loss
from `kanon_work`.`r1_taken` as taken
join `kanon_work`.`r1_clusters` as here on here.g = taken.g
join `kanon_work`.`r1_clusters` as there on there.g = taken.g2
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
from `kanon_work`.`r1_clusters` as kept
left join (
    select g from `kanon_work`.`r1_taken`
    union all
    select g2 from `kanon_work`.`r1_taken`
) as gone on gone.g = kept.g
where gone.g is null
