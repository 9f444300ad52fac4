-- release/distinct_values
select
    count(distinct "ill") as values_0,
    count(distinct "to wn") as values_1
from (
    select
        "ill",
        "to wn"
    from "kanon_work"."r1_coded"
    limit 10000
) as first_rows
