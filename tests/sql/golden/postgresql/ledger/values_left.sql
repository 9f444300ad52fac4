-- ledger/values_left
select count(*) as sets
from (
    select trails.trail
    from "kanon_work"."r1_trails" as trails
    join "kanon_work"."r1_members" as members on members.person_key = trails.person_key
    where trails.present = 1
    group by trails.trail
    having count(distinct members.s0) + max(case when members.s0 is null then 1 else 0 end) < 3
) as poor
