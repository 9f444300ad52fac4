-- cluster/moving/group_counts
select
    count(*) as groups,
    coalesce(sum(case when n < 5 then 1 else 0 end), 0) as small,
    coalesce(sum(case when n < 5 then n else 0 end), 0) as small_rows,
    coalesce(sum(n * loss), 0) as loss,
    coalesce(max(g), 0) as last_group
from "kanon_work"."r1_boxes"
