-- cluster/publishing/assigned_units
create unlogged table "kanon_work"."r1_made" as
select
    units.s0,
    units.person,
    units.n,
    assigned.g
from "kanon_work"."r1_units" as units
join "kanon_work"."r1_assignment" as assigned on assigned.rid = units.rid
where assigned.g is not null
