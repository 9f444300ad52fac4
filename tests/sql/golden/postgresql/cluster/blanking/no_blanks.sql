-- cluster/blanking/no_blanks
create unlogged table "kanon_work"."r1_made" as
select
    rid,
    g,
    cast(0 as bigint) as mask
from "kanon_work"."r1_assignment"
