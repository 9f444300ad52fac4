-- cluster/spatial/seed_distances
create table "kanon_work"."r1_made" as
with seed as (
    select free.*
    from "kanon_work"."r1_grown" as grown
    join "kanon_work"."r1_free_rows" as free on free.rid = grown.rid
    where grown.turn = 3 and grown.n = 1
)
, counts_2 as (
    select
        free.block,
        free.c2 as v,
        count(*) as everyone,
        sum(case when 1 = 1 then 1 else 0 end) as alike
    from "kanon_work"."r1_free_rows" as free
    join seed on seed.block = free.block
    group by free.block, free.c2
)
, factors_2 as (
    select
        block,
        v,
        case when sum(alike) over (partition by block) >= 5 then alike else everyone end as factor
    from counts_2
)
, ranked_2 as (
    select
        factors.block,
        factors.v,
        row_number() over (partition by factors.block order by abs(factors.factor - own.factor) desc, factors.v) as place
    from factors_2 as factors
    join seed on seed.block = factors.block
    join factors_2 as own on own.block = factors.block and own.v = seed.c2
    where factors.v <> seed.c2
)
, distances_2 as (
    select
        seed.block,
        ranked.v,
        100000000000 as before,
        case
            when ranked.v is null then null
            when ranked.place = 1 then (100000000000 // 4)
            when ranked.place = 2 then (100000000000 // 16)
            when ranked.place = 3 then (100000000000 // 64)
            when ranked.place = 4 then (100000000000 // 256)
            else 0
        end as e
    from seed
    left join ranked_2 as ranked on ranked.block = seed.block
)
, least_2 as (
    select
        block,
        coalesce(min(e), min(before)) as e
    from distances_2
    group by block
)
, counts_1 as (
    select
        free.block,
        free.c1 as v,
        count(*) as everyone,
        sum(case when 1 = 1 and free.c2 = seed.c2 then 1 else 0 end) as alike
    from "kanon_work"."r1_free_rows" as free
    join seed on seed.block = free.block
    group by free.block, free.c1
)
, factors_1 as (
    select
        block,
        v,
        case when sum(alike) over (partition by block) >= 5 then alike else everyone end as factor
    from counts_1
)
, ranked_1 as (
    select
        factors.block,
        factors.v,
        row_number() over (partition by factors.block order by abs(factors.factor - own.factor) desc, factors.v) as place
    from factors_1 as factors
    join seed on seed.block = factors.block
    join factors_1 as own on own.block = factors.block and own.v = seed.c1
    where factors.v <> seed.c1
)
, distances_1 as (
    select
        seed.block,
        ranked.v,
        before.e as before,
        case
            when ranked.v is null then null
            when ranked.place = 1 then (before.e // 7)
            when ranked.place = 2 then (before.e // 49)
            when ranked.place = 3 then (before.e // 343)
            when ranked.place = 4 then (before.e // 2401)
            when ranked.place = 5 then (before.e // 16807)
            when ranked.place = 6 then (before.e // 117649)
            when ranked.place = 7 then (before.e // 823543)
            else 0
        end as e
    from seed
    join least_2 as before on before.block = seed.block
    left join ranked_1 as ranked on ranked.block = seed.block
)
, least_1 as (
    select
        block,
        coalesce(min(e), min(before)) as e
    from distances_1
    group by block
)
select
    free.*
    , ((coalesce(distances_2.e, 0) * 1000000) // 1000000) as e2
    , ((coalesce(distances_1.e, 0) * 1000000) // 1000000) as e1
from "kanon_work"."r1_free_rows" as free
join seed on seed.block = free.block
left join distances_2 on distances_2.block = free.block and distances_2.v = free.c2
left join distances_1 on distances_1.block = free.block and distances_1.v = free.c1
where free.rid <> seed.rid
