-- ledger/outcomes
create table "kanon_work"."r1_ledger_outcomes" as
with trails as (
    select
        trail,
        class,
        row_number() over (partition by trail order by sum(persons) desc, class) as place,
        row_number() over (order by trail, class) as number
    from "kanon_work"."r1_ledger_decided"
    where how = 'stays'
    group by
        trail,
        class
),
followed as (
    select
        trail,
        class,
        case when place = 1 then trail else 6 + number end as new_trail
    from trails
),
class_trails as (
    select
        decided.class,
        followed.new_trail,
        row_number() over (partition by decided.class order by decided.persons desc, decided.batch) as place
    from "kanon_work"."r1_ledger_decided" as decided
    join followed on followed.trail = decided.trail
        and followed.class = decided.class
    where decided.how = 'stays'
),
ranked as (
    select
        decided.*,
        row_number() over (
            partition by decided.cell, case when decided.how = 'stays' then 1 else 0 end
            order by decided.persons desc, decided.class
        ) as place
    from "kanon_work"."r1_ledger_decided" as decided
)
select
    ranked.batch,
    ranked.cell,
    ranked.class,
    ranked.class_key,
    ranked.persons,
    ranked.n,
    ranked.how,
    ranked.stayed,
    ranked.moved,
    ranked.since,
    ranked.gap,
    ranked.away,
    case
        when ranked.how = 'withheld' then null
        when ranked.how = 'stays' and ranked.place = 1 then ranked.cell
        when ranked.how = 'accepted' then 7 + counted.batches + ranked.class
        else 7 + ranked.batch
    end as new_cell,
    case
        when ranked.how = 'withheld' then null
        when ranked.how = 'stays' then own.new_trail
        when ranked.how = 'accepted' then coalesce(class_trails.new_trail, 6 + counted.batches + ranked.class)
        else coalesce(supporting.new_trail, class_trails.new_trail, 6 + counted.batches + ranked.class)
    end as new_trail,
    case when keeping.cell is not null then 7 + counted.batches + counted.classes + keeping.batch end as rest
from ranked
cross join (
    select
        max(batch) as batches,
        max(class) as classes
    from "kanon_work"."r1_ledger_decided"
) as counted
left join followed as own on ranked.how = 'stays'
    and own.trail = ranked.trail
    and own.class = ranked.class
left join "kanon_work"."r1_ledger_decided" as supporter on supporter.batch = ranked.supporter
    and supporter.how = 'stays'
left join followed as supporting on supporting.trail = supporter.trail
    and supporting.class = supporter.class
left join class_trails on class_trails.class = ranked.class
    and class_trails.place = 1
left join ranked as keeping on keeping.cell = ranked.cell
    and keeping.cell <> 0
    and keeping.how = 'stays'
    and keeping.place = 1
