-- cluster/coding/unit_counts
select
    count(*) as searched,
    max(n) as most
from (
    select
        rid,
        count(*) as n
    from "kanon_work"."r1_units"
    group by rid
) as persons
