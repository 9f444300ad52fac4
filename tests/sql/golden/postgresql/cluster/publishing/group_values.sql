-- cluster/publishing/group_values
create unlogged table "kanon_work"."r1_made" as

select distinct
    cast(2 as bigint) as attribute,
    assigned.g,
    units.q2_0 as code
from "kanon_work"."r1_assignment" as assigned
join "kanon_work"."r1_units" as units on units.rid = assigned.rid
where assigned.g is not null
union all
select distinct
    cast(4 as bigint) as attribute,
    assigned.g,
    units.q4_0 as code
from "kanon_work"."r1_assignment" as assigned
join "kanon_work"."r1_units" as units on units.rid = assigned.rid
where assigned.g is not null
