-- ledger/night_figures
select
    how,
    stayed,
    moved,
    case when cell = 0 then 1 else 0 end as new,
    sum(persons) as persons,
    sum(n) as n,
    count(*) as batches,
    min(persons) as smallest
from "kanon_work"."r1_ledger_outcomes"
group by
    how,
    stayed,
    moved,
    case when cell = 0 then 1 else 0 end
order by
    how,
    stayed,
    moved,
    new
