-- cluster/moving/touched_groups
create table "kanon_work"."r1_made" as
select g from "kanon_work"."r1_chosen_moves"
union all
select g2 as g from "kanon_work"."r1_chosen_moves"
