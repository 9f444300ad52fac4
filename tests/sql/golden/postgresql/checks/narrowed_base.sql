-- checks/narrowed_base
create unlogged table "kanon_work"."r1_base_9" as
select
    q0_1,
    w0 & 12 as w0,
    s0,
    cast(sum(n) as integer) as n
from "kanon_work"."r1_base"
group by
    q0_1, w0 & 12, s0
