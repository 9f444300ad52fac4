-- cluster/moving/moved_rows
create table "kanon_work"."r1_made" as
select rid, g2 as g from "kanon_work"."r1_chosen_moves"
union all
select rid2 as rid, g from "kanon_work"."r1_chosen_moves" where rid2 > 0
