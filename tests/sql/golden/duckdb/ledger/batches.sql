-- ledger/batches
create table "kanon_work"."r1_ledger_batches" as
select
    row_number() over (order by counted.cell, counted.class) as batch,
    counted.cell,
    counted.class,
    counted.persons,
    counted.n,
    classes.class_key,
    held.trail,
    held.since,
    held.gap,
    held.away,
    case when held.cell is null then 0 else 1 end as stayed,
    case when held.recoding = '0f1e' and held.class_key <> classes.class_key then 1 else 0 end as moved
from (
    select
        cell,
        class,
        count(*) as persons,
        sum(n) as n
    from "kanon_work"."r1_ledger_present"
    group by
        cell,
        class
) as counted
join "kanon_work"."r1_ledger_classes" as classes on classes.class = counted.class
left join "kanon_ledger"."cells_0123456789ab" as held on held.cell = counted.cell
    and held.job = 'release.people'
