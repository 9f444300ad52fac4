-- cluster/mending/trial_units
create table "kanon_work"."r1_made" as
select
    tried.g,
    units.n
    , units.s0
    , units.person

from (
    select
        assigned.rid,
        2 * operations.place + case when assigned.rid = operations.rid then 1 else 0 end as g
    from "kanon_work"."r1_operations" as operations
    join "kanon_work"."r1_assignment" as assigned on assigned.g = operations.g
    union all
    select
        assigned.rid,
        2 * operations.place + case when assigned.rid = operations.rid2 then 0 else 1 end as g
    from "kanon_work"."r1_operations" as operations
    join "kanon_work"."r1_assignment" as assigned on assigned.g = operations.g2
) as tried
join "kanon_work"."r1_units" as units on units.rid = tried.rid
