-- release/stage_groups
create table "release"."people__v1" as
select
    labels.label_0 as "a ge"
from (
    select
        rows.*,
        row_number() over (
            order by rows."kanon_q0_0", rows.illness
        ) as "kanon_place"
    from "kanon_work"."r1_coded" as rows
) as rows
join "kanon_work"."r1_assignment" as assigned on assigned.rid = rows."kanon_place"
join "kanon_work"."r1_labels" as labels on labels.g = assigned.g
order by hashtextextended(coalesce(cast(labels.label_0 as text), ''), 0 # cast(labels.label_0 is null as integer))
