-- release/verify_model
with grouped as (
    select
        "age", "income", "bmi", "seen", "zip", "race",
        "ill" as "kanon_s",
        count(*) as "kanon_m"
    from "release"."people__v1"
    group by "age", "income", "bmi", "seen", "zip", "race", "ill"
),
spread as (
    select
        dense_rank() over (order by "age", "income", "bmi", "seen", "zip", "race") as class,
        "kanon_s" as s,
        cast("kanon_m" as double) as m
    from grouped
),
classes as (
    select
        class,
        sum(m) as n
    from spread
    group by class
),
figures as (
    select max(m) - 0.5 * sum(case when place >= 3 then m else 0 end) as figure
    from (
        select
            class,
            m,
            row_number() over (partition by class order by m desc) as place
        from spread
    ) as ranked
    group by class
)
select max(figure) as worst
from figures
