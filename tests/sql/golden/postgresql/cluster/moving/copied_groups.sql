-- cluster/moving/copied_groups
create unlogged table "kanon_work"."r1_made" as
select
    rid,
    g
from "kanon_work"."r1_assignment"
