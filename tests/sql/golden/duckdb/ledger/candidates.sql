-- ledger/candidates
select
    kind,
    count(*) as sets,
    min(c) as smallest,
    sum(case when c < 5 then 1 else 0 end) as sets_below,
    sum(case when c < 5 then c else 0 end) as persons_below
from (
    select
        case when present = 0 then 'left' when earlier = 0 then 'joined' else 'stayed' end as kind,
        count(*) as c
    from "kanon_work"."r1_trails"
    group by
        case when present = 0 then 'left' when earlier = 0 then 'joined' else 'stayed' end,
        trail
) as sets
group by kind
order by kind
