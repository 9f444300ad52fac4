-- cluster/moving/chosen_moves
create table `kanon_work`.`r1_made` as
with ends as (
    select
        place,
        g as own,
        explode(array(g, g2)) as g,
        0 as state
    from `kanon_work`.`r1_operations`
),
offered_0 as (
    select
        place,
        own,
        g,
        state,
        min(case when state = 0 then place end) over (partition by g) as best
    from ends
),
taken_0 as (
    select
        place,
        own,
        g,
        case
            when state = 0 and min(case when best = place then 1 else 0 end) over (partition by place) = 1 then 1
            else state
        end as state
    from offered_0
),
met_0 as (
    select
        place,
        own,
        g,
        state,
        max(case when state = 1 then 1 else 0 end) over (partition by g) as met
    from taken_0
),
freed_0 as (
    select
        place,
        own,
        g,
        case when state = 0 and max(met) over (partition by place) = 1 then 2 else state end as state
    from met_0
),
offered_1 as (
    select
        place,
        own,
        g,
        state,
        min(case when state = 0 then place end) over (partition by g) as best
    from freed_0
),
taken_1 as (
    select
        place,
        own,
        g,
        case
            when state = 0 and min(case when best = place then 1 else 0 end) over (partition by place) = 1 then 1
            else state
        end as state
    from offered_1
),
chosen as (
    select place
    from taken_1
    where state = 1 and g = own
)
select operations.*
from `kanon_work`.`r1_operations` as operations
join chosen on chosen.place = operations.place
