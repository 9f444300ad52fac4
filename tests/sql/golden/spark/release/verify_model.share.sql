-- release/verify_model
with grouped as (
    select
        `age`, `income`, `bmi`, `seen`, `zip`, `race`,
        `ill` as `kanon_s`,
        count(*) as `kanon_m`
    from `release`.`people__v1`
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`, `ill`
),
spread as (
    select
        dense_rank() over (order by `age`, `income`, `bmi`, `seen`, `zip`, `race`) as class,
        `kanon_s` as s,
        cast(`kanon_s` as string) in ('it\'s') as named,
        cast(`kanon_m` as double) as m
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
    select m / n as figure
    from spread
    join classes on classes.class = spread.class
    where spread.named
)
select max(figure) as worst
from figures
