-- cluster/taken
create unlogged table "kanon_work"."r1_made" as
with
free_0 as (
    select operations.*
    from "kanon_work"."r1_operations" as operations
),
best_0 as (
    select
        g,
        min(place) as place
    from (
        select g, place from free_0
        union all
        select g2 as g, place from free_0
    ) as ends
    group by g
),
taken_0 as (
    select free.*
    from free_0 as free
    join best_0 as here on here.g = free.g and here.place = free.place
    join best_0 as there on there.g = free.g2 and there.place = free.place
),
touched_0 as (
    select g from taken_0
    union all
    select g2 as g from taken_0
),
free_1 as (
    select operations.*
    from "kanon_work"."r1_operations" as operations
    left join touched_0 as left_taken on left_taken.g = operations.g
    left join touched_0 as right_taken on right_taken.g = operations.g2
    where left_taken.g is null and right_taken.g is null
),
best_1 as (
    select
        g,
        min(place) as place
    from (
        select g, place from free_1
        union all
        select g2 as g, place from free_1
    ) as ends
    group by g
),
taken_1 as (
    select free.*
    from free_1 as free
    join best_1 as here on here.g = free.g and here.place = free.place
    join best_1 as there on there.g = free.g2 and there.place = free.place
),
touched_1 as (
    select g from touched_0
    union all
    select g from taken_1
    union all
    select g2 as g from taken_1
)
select * from taken_0
union all
select * from taken_1
