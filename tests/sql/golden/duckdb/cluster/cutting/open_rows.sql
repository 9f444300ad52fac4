-- cluster/cutting/open_rows
create table "kanon_work"."r1_made" as
select
    rows.rid,
    large.g,
    large.n
    , rows.c0
    , rows.c1
    , rows.c2
    , rows.a0
from "kanon_work"."r1_rows" as rows
join "kanon_work"."r1_assignment" as assigned on assigned.rid = rows.rid
join (
    select
        g as old,
        count(*) as n,
        row_number() over (order by g) as g
    from "kanon_work"."r1_assignment"
    where g is not null
    group by g
    having count(*) > 9
) as large on large.old = assigned.g
