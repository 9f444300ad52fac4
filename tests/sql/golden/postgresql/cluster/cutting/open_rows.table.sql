-- cluster/cutting/open_rows
create unlogged table "kanon_work"."r1_made" as
select
    rows.rid,
    cast(1 as bigint) as g,
    count(*) over () as n
    , rows.c0
    , rows.c1
    , rows.c2
    , rows.a0
from "kanon_work"."r1_rows" as rows
