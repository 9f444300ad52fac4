-- cluster/moving/sort_runs
create table "kanon_work"."r1_made" as
select
    rid + nth - 1 as rid,
    rid as kind,
    ((before + nth + 142) // 170) as block
from (
    select
        rid,
        before,
        unnest(generate_series(1, w)) as nth
    from (
        select
            rid,
            w,
            cast(sum(w) over (order by ((((((c0 // 18)) * 5 + c2) * 6 + (c1 // 7)) * 70 + c0) * 41 + c1) * 4001 + rid rows between unbounded preceding and current row) as bigint) - w as before
        from "kanon_work"."r1_combinations"
    ) as sorted
) as repeated
