-- cluster/absorbing/outliers
create unlogged table "kanon_work"."r1_made" as
with saving as (
    select
        rid,
        g,
        n * loss - (n - 1) * loss_without_row - 3000000 as saved,
        row_number() over (partition by g order by n * loss - (n - 1) * loss_without_row desc, rid) as place
    from "kanon_work"."r1_row_context"
    where n > 5
),
ranked as (
    select
        rid,
        g,
        saved,
        row_number() over (order by saved desc, rid) as turn
    from saving
    where place = 1 and saved > 0
)
select
    rid,
    g,
    cast(null as bigint) as g2,
    cast(0 as bigint) as rid2,
    -saved as delta,
    turn as place
from ranked
where turn <= 3
