-- cluster/moving/sweep_counts
select
    (select count(*) from "kanon_work"."r1_chosen_moves") as operations,
    (select count(*) from "kanon_work"."r1_boxes" where n < 5) as small,
    (select coalesce(sum(delta), 0) from "kanon_work"."r1_chosen_moves") as change
