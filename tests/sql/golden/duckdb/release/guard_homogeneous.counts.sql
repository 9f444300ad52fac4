-- release/guard_homogeneous
select
    0 as place,
    count(*) as classes,
    coalesce(sum(n), 0) as rows
from (
    select sum("kanon_m") as n
    from (
        select
            "age", "income", "bmi", "seen", "zip", "race",
            sum("kanon_n") as "kanon_m"
        from "kanon_work"."r1_staged_counts"
        group by "age", "income", "bmi", "seen", "zip", "race", "ill"
    ) as spread
    group by "age", "income", "bmi", "seen", "zip", "race"
    having count(*) = 1
) as classes
