-- cluster/coding/units
create table "kanon_work"."r1_made" as
select
    first_rid + copy as rid,
    first_place + copy as place,
    q0_0,
    q1_0,
    q2_0,
    s0,
    cast(1 as bigint) as n
from (
    select
        first_rid,
        first_place,
        q0_0,
        q1_0,
        q2_0,
        s0,
        unnest(generate_series(1, n)) as copy
    from (
        select
            cast(sum(n) over (order by q0_0, q1_0, q2_0, s0 rows unbounded preceding) as bigint) - n as first_rid,
            cast(sum(n) over (
                partition by q0_0, q1_0, q2_0 order by s0 rows unbounded preceding
            ) as bigint) - n as first_place,
            q0_0,
            q1_0,
            q2_0,
            s0,
            n
        from "kanon_work"."r1_base"
    ) as combinations
) as copies
