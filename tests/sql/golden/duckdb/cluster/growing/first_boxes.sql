-- cluster/growing/first_boxes
create table "kanon_work"."r1_made" as
select
    free.block,
    cast(0 as bigint) as turn,
    cast(1 as bigint) as n,
    free.rid as g,
    free.rid
    , free.a0 as lo0
    , free.a0 as hi0
    , free.a1 as lo1
    , free.a1 as hi1
    , free.m0 as b0

from "kanon_work"."r1_free_rows" as free
join (
    select
        block,
        min((rid * 2654435761) % 2147483647 * 4294967296 + rid) % 4294967296 as rid
    from "kanon_work"."r1_free_rows"
    group by block
) as chosen on chosen.block = free.block and chosen.rid = free.rid
