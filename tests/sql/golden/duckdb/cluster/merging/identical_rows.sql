-- cluster/merging/identical_rows
create table "kanon_work"."r1_made" as
select
    rid,
    min(rid) over (partition by block, c0, c1, c2, c3) as g
from "kanon_work"."r1_free_rows"
