-- ledger/proof
with tonight as (
    select
        coalesce(changed.cell, present.cell) as cell,
        present.class,
        count(*) as persons
    from `kanon_work`.`r1_ledger_present` as present
    join `kanon_work`.`r1_ledger_outcomes` as outcomes on outcomes.cell = present.cell
        and outcomes.class = present.class
    left join `kanon_work`.`r1_ledger_people` as changed on changed.person_key = present.person_key
    where outcomes.how <> 'withheld'
    group by
        coalesce(changed.cell, present.cell),
        present.class
),
histories as (
    select cells.cell, cells.job, cells.trail, cells.since, cells.gap, cells.away
    from `kanon_ledger`.`cells_0123456789ab` as cells
    left join `kanon_work`.`r1_ledger_cells` as newer on newer.cell = cells.cell
        and newer.job = cells.job
    where newer.cell is null
    union all
    select cell, job, trail, since, gap, away
    from `kanon_work`.`r1_ledger_cells`
),
met as (
    select
        small.cell,
        large.cell as cover,
        sum(case when have.cell is null then 1 else 0 end) as lacking
    from tonight as small
    join tonight as large on large.class = small.class
        and large.persons >= 5
    join histories as needs on needs.cell = small.cell
    left join histories as have on have.cell = large.cell
        and have.job = needs.job
        and have.trail = needs.trail
        and have.since <= needs.since
        and have.gap < needs.since
        and (have.away = 0 or (needs.away > 0 and have.away >= needs.away))
    where small.persons < 5
    group by
        small.cell,
        large.cell
)
select
    count(*) as cells,
    min(tonight.persons) as smallest
from tonight
left join (
    select distinct cell
    from met
    where lacking = 0
) as covered on covered.cell = tonight.cell
where tonight.persons < 5
    and covered.cell is null
