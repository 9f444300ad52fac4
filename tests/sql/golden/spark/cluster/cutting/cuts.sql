-- cluster/cutting/cuts
create table `kanon_work`.`r1_made` as
with histogram as (
    select
        g,
        0 as d,
        c0 as v,
        max(a0) as pos,
        count(*) as cnt
    from `kanon_work`.`r1_open_rows`
    group by g, c0
    union all
    select
        g,
        1 as d,
        c1 as v,
        c1 as pos,
        count(*) as cnt
    from `kanon_work`.`r1_open_rows`
    group by g, c1
    union all
    select
        g,
        2 as d,
        c2 as v,
        c2 as pos,
        count(*) as cnt
    from `kanon_work`.`r1_open_rows`
    group by g, c2
    
),
totals as (
    select
        g,
        d,
        cast(sum(cnt) as bigint) as n,
        min(pos) as lo,
        max(pos) as hi,
        count(*) as td
    from histogram
    group by g, d
),
so_far as (
    select
        g,
        d,
        v,
        pos,
        cast(sum(cnt) over before as bigint) as cum,
        lead(pos) over along as nextpos,
        row_number() over along as nd
    from histogram
    window
        along as (partition by g, d order by v),
        before as (partition by g, d order by v rows between unbounded preceding and current row)
),
walk as (
    select
        so_far.*,
        totals.n,
        totals.lo,
        totals.hi,
        totals.td
        , case so_far.d when 2 then 200000 end as unit
    from so_far
    join totals on totals.g = so_far.g and totals.d = so_far.d
    where so_far.nextpos is not null and so_far.cum >= 5 and totals.n - so_far.cum >= 5
),
candidates as (
    select
        walk.g,
        walk.d,
        walk.v,
        walk.n,
        walk.cum,
        walk.hi - walk.lo as spread,
        (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos)) as gain
    from walk
    where walk.d in (0)
    union all
    select
        walk.g,
        walk.d,
        walk.v,
        walk.n,
        walk.cum,
        (case when walk.lo = walk.hi then 0 when walk.lo >= here.f1_1 and walk.hi <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.hi <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) as spread,
        walk.n * (case when walk.lo = walk.hi then 0 when walk.lo >= here.f1_1 and walk.hi <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.hi <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) - walk.cum * (case when walk.lo = walk.pos then 0 when walk.lo >= here.f1_1 and walk.pos <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.pos <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) - (walk.n - walk.cum) * (case when walk.nextpos = walk.hi then 0 when walk.nextpos >= beyond.f1_1 and walk.hi <= beyond.t1_1 then 10000 * (beyond.t1_1 - beyond.f1_1) when walk.nextpos >= beyond.f1_2 and walk.hi <= beyond.t1_2 then 10000 * (beyond.t1_2 - beyond.f1_2) else 1000000 end) + 2000 * (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos)) as gain
    from walk
    left join `kanon_work`.`r1_tree_1` as here on here.a1 = walk.pos
    left join `kanon_work`.`r1_tree_1` as beyond on beyond.a1 = walk.nextpos
    where walk.d in (1)
    union all
    select
        walk.g,
        walk.d,
        walk.v,
        walk.n,
        walk.cum,
        walk.unit * walk.td as spread,
        walk.unit * (walk.n * walk.td - walk.cum * (case when walk.nd > 1 then walk.nd else 0 end) - (walk.n - walk.cum) * (case when (walk.td - walk.nd) > 1 then (walk.td - walk.nd) else 0 end)) as gain
    from walk
    where walk.d in (2)
    
),
ranked as (
    select
        g,
        d,
        v,
        n,
        cum,
        row_number() over (partition by g order by case when n <= 100 or least(cum, n - cum) >= (n div 16) then 0 else 1 end, gain desc, d, v) as place
    from candidates
)
select
    g,
    d,
    v,
    case when n > 200 then cum else greatest(least(((cum + 2) div 5) * 5, ((n div 5) - 1) * 5), 5) end as target
from ranked
where place = 1
