-- cluster/moving/sort_runs
create unlogged table "kanon_work"."r1_made" as
select
    rid,
    ((place + 142) / 170) as block
from (
    select
        rid,
        row_number() over (order by ((((((c0 / 18)) * 5 + c2) * 6 + (c1 / 7)) * 70 + c0) * 41 + c1) * 4001 + rid) as place
    from "kanon_work"."r1_rows"
) as sorted
