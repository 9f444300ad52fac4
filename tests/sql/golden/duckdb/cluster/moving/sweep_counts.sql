-- cluster/moving/sweep_counts
select
    count(*) as operations,
    coalesce(sum(delta), 0) as change
from "kanon_work"."r1_chosen_moves"
