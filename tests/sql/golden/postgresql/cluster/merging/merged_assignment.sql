-- cluster/merging/merged_assignment
create unlogged table "kanon_work"."r1_made" as
select
    assigned.rid,
    coalesce(chosen_moves.g2, assigned.g) as g
from "kanon_work"."r1_assignment" as assigned
left join "kanon_work"."r1_chosen_moves" as chosen_moves on chosen_moves.g = assigned.g
