-- cluster/coding/units
create table "kanon_work"."r1_made" as
select
    cast(dense_rank() over (order by q0_0, q1_0, q2_0, person nulls first) as bigint) as rid,
    row_number() over (partition by q0_0, q1_0, q2_0 order by s0, person nulls first, copy) as place,
    q0_0,
    q1_0,
    q2_0,
    s0,
    person,
    cast(1 as bigint) as n
from (
    select
        q0_0,
        q1_0,
        q2_0,
        s0,
        person,
        unnest(generate_series(1, n)) as copy
    from "kanon_work"."r1_base"
) as copies
