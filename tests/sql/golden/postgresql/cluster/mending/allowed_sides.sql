-- cluster/mending/allowed_sides
create unlogged table "kanon_work"."r1_made" as
select
    sides.rid,
    case when refused.g is null then sides.side else -refused.g end as side
    , sides.c0
    , sides.c1
    , sides.c2
    , sides.a0

from "kanon_work"."r1_sides" as sides
left join (
    select distinct (key0 / 2) as g
    from "kanon_work"."r1_refused_groups"
) as refused on sides.side > 0 and refused.g = (sides.side / 2)
