-- ledger/new_cells
create unlogged table "kanon_work"."r1_ledger_cells" as
with rests as (
    select distinct
        outcomes.cell,
        outcomes.rest
    from "kanon_work"."r1_ledger_outcomes" as outcomes
    join (
        select distinct cell
        from "kanon_work"."r1_ledger_people"
    ) as used on used.cell = outcomes.rest
)
select distinct
    outcomes.new_cell as cell,
    'release.people' as job,
    outcomes.new_trail as trail,
    outcomes.class_key,
    '0f1e' as recoding,
    case when outcomes.how = 'stays' then outcomes.since else 7 end as since,
    case when outcomes.how <> 'stays' then 0 when outcomes.away > 0 then 6 else outcomes.gap end as gap,
    0 as away
from "kanon_work"."r1_ledger_outcomes" as outcomes
left join "kanon_ledger"."cells_0123456789ab" as held on held.cell = outcomes.new_cell
    and held.job = 'release.people'
where outcomes.how <> 'withheld'
    and (held.cell is null or held.trail <> outcomes.new_trail or held.class_key <> outcomes.class_key or held.recoding <> '0f1e' or held.away > 0)
union all
select
    outcomes.new_cell as cell,
    cells.job,
    cells.trail,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    cells.away
from "kanon_work"."r1_ledger_outcomes" as outcomes
join "kanon_ledger"."cells_0123456789ab" as cells on cells.cell = outcomes.cell
where outcomes.how in ('stays', 'joins')
    and outcomes.new_cell <> outcomes.cell
    and cells.job <> 'release.people'
union all
select
    rests.rest as cell,
    cells.job,
    cells.trail,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    case when cells.job = 'release.people' and cells.away = 0 then 7 else cells.away end as away
from rests
join "kanon_ledger"."cells_0123456789ab" as cells on cells.cell = rests.cell
union all
select
    cells.cell,
    cells.job,
    cells.trail,
    cells.class_key,
    cells.recoding,
    cells.since,
    cells.gap,
    7 as away
from "kanon_ledger"."cells_0123456789ab" as cells
left join (
    select distinct cell
    from "kanon_work"."r1_ledger_outcomes"
    where how = 'stays'
) as published on published.cell = cells.cell
where cells.job = 'release.people'
    and cells.away = 0
    and published.cell is null
