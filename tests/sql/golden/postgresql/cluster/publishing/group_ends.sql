-- cluster/publishing/group_ends
create unlogged table "kanon_work"."r1_made" as
select
    assigned.g
    , count(*) as n
    , min(rows.c0) as first0
    , min(case when rows.c0 > 0 then rows.c0 end) as second0
    , max(rows.c0) as last0
    , min(rows.a1) as lo1
    , max(rows.a1) as hi1
    , bit_or(rows.m0) as b0

from "kanon_work"."r1_assignment" as assigned
join "kanon_work"."r1_rows" as rows on rows.rid = assigned.rid
where assigned.g is not null
group by assigned.g
