-- cluster/coding/rows
create view "kanon_work"."r1_made" as
select
    units.rid
    , code_0.c0
    , code_1.c1
    , code_2.c2
    , code_0.a0
    , code_1.a1
    , code_1.f1_1
    , code_1.t1_1
    , code_1.f1_2
    , code_1.t1_2
    , code_2.m0 as m0
from "kanon_work"."r1_units" as units
join "kanon_work"."r1_code_0" as code_0 on code_0.q0_0 = units.q0_0
join "kanon_work"."r1_code_1" as code_1 on code_1.q1_0 = units.q1_0
join "kanon_work"."r1_code_2" as code_2 on code_2.q2_0 = units.q2_0
