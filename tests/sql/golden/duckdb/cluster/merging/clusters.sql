-- cluster/merging/clusters
create table "kanon_work"."r1_made" as
select
    box.*,
    row_number() over (partition by box.block order by box.g) as place
    , first_row.f1_1
    , first_row.t1_1

    , cast((3000000 - (((1000000000000 // (1000000 + (box.hi0 - box.lo0) * 70)) * (10000 + case when cast(bit_count((box.b0 & 96)) as bigint) > 1 then 0 else 25000 end)) // 35000) - (case when box.lo1 = box.hi1 then 1000000 when box.lo1 >= first_row.f1_1 and box.hi1 <= first_row.t1_1 then (1000000 // (first_row.t1_1 - first_row.f1_1 + 1)) else 0 end) - (1000000 // (cast(bit_count((box.b0 & 31)) as bigint)))) as bigint) as loss

from (
    select
        free.block,
        assigned.g,
        count(*) as n
    , min(free.a0) as lo0
    , max(free.a0) as hi0
    , min(free.a1) as lo1
    , max(free.a1) as hi1
    , bit_or(free.m0) as b0

    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_free_rows" as free on free.rid = assigned.rid
    group by free.block, assigned.g
) as box
join "kanon_work"."r1_free_rows" as first_row on first_row.rid = box.g
