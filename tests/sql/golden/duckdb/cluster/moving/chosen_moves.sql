-- cluster/moving/chosen_moves
create table "kanon_work"."r1_made" as
with
free_0 as (
    select
        operations.place,
        operations.g,
        operations.g2
    from "kanon_work"."r1_operations" as operations
),
taken_0 as (
    select place
    from (
        select
            place,
            min(place) over (partition by g) as best
        from (
            select place, g from free_0
            union all
            select place, g2 as g from free_0
        ) as sides
    ) as ends
    where place = best
    group by place
    having count(*) = 2
),
touched_0 as (
    select free.g
    from free_0 as free
    join taken_0 as taken on taken.place = free.place
    union all
    select free.g2 as g
    from free_0 as free
    join taken_0 as taken on taken.place = free.place
),
free_1 as (
    select
        operations.place,
        operations.g,
        operations.g2
    from "kanon_work"."r1_operations" as operations
    left join touched_0 as left_taken on left_taken.g = operations.g
    left join touched_0 as right_taken on right_taken.g = operations.g2
    where left_taken.g is null and right_taken.g is null
),
taken_1 as (
    select place
    from (
        select
            place,
            min(place) over (partition by g) as best
        from (
            select place, g from free_1
            union all
            select place, g2 as g from free_1
        ) as sides
    ) as ends
    where place = best
    group by place
    having count(*) = 2
)
select operations.*
from "kanon_work"."r1_operations" as operations
join (
    select place from taken_0
    union all
    select place from taken_1
    
) as taken on taken.place = operations.place
