-- cluster/cutting/close_combinations
insert into "kanon_work"."r1_finished_rows"
select
    rid + copy - 1 as rid,
    g
from (
    select
        sides.rid,
        17 + sizes.g as g,
        unnest(generate_series(1, sides.w)) as copy
    from "kanon_work"."r1_sides" as sides
    join "kanon_work"."r1_side_sizes" as sizes on sizes.side = sides.side
    where sides.side < 0 or sizes.n <= 9
) as copies
