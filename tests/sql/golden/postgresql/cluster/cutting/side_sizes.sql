-- cluster/cutting/side_sizes
create unlogged table "kanon_work"."r1_made" as
select
    side,
    count(*) as n,
    row_number() over (order by side) as g
from "kanon_work"."r1_sides"
group by side
