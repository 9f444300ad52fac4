-- cluster/publishing/assigned_units
create unlogged table "kanon_work"."r1_made" as
select
    count(*) as n,
    g
from "kanon_work"."r1_assignment"
where g is not null
group by g
