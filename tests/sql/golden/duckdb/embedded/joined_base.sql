-- embedded/joined_base
create table "kanon_work"."r1_base" as
select
    d0.q0_0,
    d0.q0_1,
    d0.q0_2,
    d1.q1_0,
    d1.q1_1,
    counts.s0,
    counts.n
from "kanon_work"."r1_counts" as counts
join "kanon_work"."r1_dictionary_0" as d0 on d0.q0_0 = counts.q0_0
join "kanon_work"."r1_dictionary_1" as d1 on d1.q1_0 = counts.q1_0
