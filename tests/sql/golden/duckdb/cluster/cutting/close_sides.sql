-- cluster/cutting/close_sides
insert into "kanon_work"."r1_finished_rows"
select
    sides.rid,
    17 + sizes.g as g
from "kanon_work"."r1_sides" as sides
join "kanon_work"."r1_side_sizes" as sizes on sizes.side = sides.side
where sides.side < 0 or sizes.n <= 9
