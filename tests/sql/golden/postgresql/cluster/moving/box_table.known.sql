-- cluster/moving/box_table
create unlogged table "kanon_work"."r1_made" as
select
    box.*,
    cast((cast('{0,300000,1000000,1000000,300000,0,1000000,1000000,1000000,1000000,0,300000,1000000,1000000,300000,0}' as bigint[]))[box.lo0 * 4 + box.hi0 + 1] as bigint) as loss
    , (cast('{4,8,0,0,8,12,0,0,0,0,16,20,0,0,20,24}' as bigint[]))[box.lo0 * 4 + box.hi0 + 1] as d0

from (
    select
        assigned.g,
        count(*) as n
    , min(rows.a0) as lo0
    , max(rows.a0) as hi0

    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_rows" as rows on rows.rid = assigned.rid
    where assigned.g is not null
    group by assigned.g
) as box
