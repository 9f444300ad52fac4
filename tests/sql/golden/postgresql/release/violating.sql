-- release/violating
create unlogged table "kanon_work"."r1_violating" as
select
    key0
from (
    select
        q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000 as key0,

        sum(n) as c,
        sum(n) as n
    from "kanon_work"."r1_base"
        group by q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000



) as classes
where c < 5
