-- evaluate/simulation
with numbered as (
    select
        repetitions.r as repetition,
        repetitions.r * 50 + numbers.i as x
    from generate_series(cast(0 as bigint), 9) as repetitions(r)
    cross join generate_series(cast(0 as bigint), 49) as numbers(i)
),
affine_1 as (
    select
        repetition,
        (x * 7 + 11) % 2147483579 as x
    from numbered
),
mixed_1 as (
    select
        repetition,
        (x * x % 2147483579) * x % 2147483579 as x
    from affine_1
),
affine_2 as (
    select
        repetition,
        (x * 13 + 17) % 2147483579 as x
    from mixed_1
),
mixed_2 as (
    select
        repetition,
        (x * x % 2147483579) * x % 2147483579 as x
    from affine_2
),
classes as (
    select
        repetition,
        x % 8 as cell,
        count(*) as n
    from mixed_2
    group by
        repetition,
        x % 8
),
tables as (
    select
        repetition,
        min(n) as smallest,
        sum(case when n < 3 then n else 0 end) as below_k
    from classes
    group by repetition
)
select
    count(*) as repetitions,
    coalesce(sum(case when smallest >= 3 then 1 else 0 end), 0) as successes,
    coalesce(sum(below_k), 0) as below_k
from tables
