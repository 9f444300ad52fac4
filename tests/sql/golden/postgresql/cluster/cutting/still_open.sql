-- cluster/cutting/still_open
create unlogged table "kanon_work"."r1_made" as
select
    sides.rid,
    sizes.g,
    sizes.n
    , sides.c0
    , sides.c1
    , sides.c2
    , sides.a0

from "kanon_work"."r1_sides" as sides
join "kanon_work"."r1_side_sizes" as sizes on sizes.side = sides.side
where sides.side > 0 and sizes.n > 9
