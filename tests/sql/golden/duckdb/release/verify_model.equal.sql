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
whole as (
    select
        "ill" as s,
        cast(count(*) as double) / (select count(*) from "census"."people") as p
    from "census"."people"
    group by "ill"
),
shares as (
    select
        classes.class,
        whole.s,
        whole.p,
        coalesce(spread.m, 0) / classes.n as q
    from classes
    cross join whole
    left join spread on spread.class = classes.class
        and (spread.s = whole.s or (spread.s is null and whole.s is null))
),
figures as (
    select sum(abs(q - p)) / 2 as figure
    from shares
    group by class
)
select max(figure) as worst
from figures
