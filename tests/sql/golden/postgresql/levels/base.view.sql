-- levels/base
create view "kanon_work"."r1_base" as
select
    coalesce(d0.q0_0, 0) as q0_0,
    coalesce(d0.q0_1, 0) as q0_1,
    coalesce(d0.q0_2, 0) as q0_2,
    coalesce(d1.q1_0, 0) as q1_0,
    coalesce(d1.q1_1, 0) as q1_1,
    coalesce(d2.q2_0, 0) as q2_0,
    coalesce(d2.q2_1, 0) as q2_1,
    coalesce(d2.q2_2, 0) as q2_2,
    coalesce(d3.q3_0, 0) as q3_0,
    coalesce(d3.q3_1, 0) as q3_1,
    coalesce(d3.q3_2, 0) as q3_2,
    coalesce(d3.q3_3, 0) as q3_3,
    coalesce(d4.q4_0, 0) as q4_0,
    coalesce(d4.q4_1, 0) as q4_1,
    coalesce(d5.q5_0, 0) as q5_0,
    coalesce(d5.q5_1, 0) as q5_1,
    coalesce(s0.code, 0) as s0,
    cast(raw.n as integer) as n
from "kanon_work"."r1_raw" as raw
left join "kanon_work"."r1_dictionary_0" as d0 on raw.v0 = d0.value
left join "kanon_work"."r1_dictionary_1" as d1 on raw.v1 = d1.value
left join "kanon_work"."r1_dictionary_2" as d2 on raw.v2 = d2.value
left join "kanon_work"."r1_dictionary_3" as d3 on raw.v3 = d3.value
left join "kanon_work"."r1_dictionary_4" as d4 on raw.v4 = d4.value
left join "kanon_work"."r1_dictionary_5" as d5 on raw.v5 = d5.value
left join "kanon_work"."r1_sensitive_0" as s0 on raw.s0 = s0.value
