-- cluster/publishing/broken_groups
select
    3 as rule,
    count(*) as groups,
    coalesce(sum(n), 0) as rows
from "kanon_work"."r1_boxes"
where cast(bit_count((b0 & 96)) as bigint) > 1
