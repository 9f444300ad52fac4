-- cluster/seed_classes/unassigned_rows
create table "kanon_work"."r1_made" as
select
    rows.rid
    , rows.c0
    , rows.c1
    , rows.c2
    , rows.a0
    , rows.a1
    , rows.f1_1
    , rows.t1_1
    , rows.f1_2
    , rows.t1_2
from "kanon_work"."r1_rows" as rows
left join "kanon_work"."r1_new_classes" as classes on classes.rid = rows.rid
where classes.rid is null
