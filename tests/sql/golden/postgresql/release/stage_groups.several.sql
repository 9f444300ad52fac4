-- release/stage_groups
create unlogged table "kanon_work"."r1_staged_persons" as
select
    labels.label_0 as "a ge",
    assigned.rid as "kanon_row"
from (
    select
        rows.*,
        row_number() over (
            order by rows."kanon_q0_0", rows.illness, rows.patient
        ) as "kanon_place"
    from "kanon_work"."r1_coded" as rows
) as rows
join (
    select
        rid,
        row_number() over (order by q0_0, place) as place
    from "kanon_work"."r1_units"
) as units on units.place = rows."kanon_place"
join "kanon_work"."r1_assignment" as assigned on assigned.rid = units.rid
join "kanon_work"."r1_labels" as labels on labels.g = assigned.g
