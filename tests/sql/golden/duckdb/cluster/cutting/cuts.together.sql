-- cluster/cutting/cuts
create table "kanon_work"."r1_made" as
with histogram as (
    select
        g,
        n,
        0 as d,
        c0 as v,
        a0 as pos,
        cast(sum(w) as bigint) as cnt
    from "kanon_work"."r1_open_rows"
    group by g, n, c0, a0
    union all
    select
        g,
        n,
        1 as d,
        c1 as v,
        c1 as pos,
        cast(sum(w) as bigint) as cnt
    from "kanon_work"."r1_open_rows"
    group by g, n, c1
    union all
    select
        g,
        n,
        2 as d,
        c2 as v,
        c2 as pos,
        cast(sum(w) as bigint) as cnt
    from "kanon_work"."r1_open_rows"
    group by g, n, c2
    
),
walk as materialized (
    select
        g,
        n,
        d,
        v,
        pos,
        cast(sum(cnt) over so_far as bigint) as cum,
        lead(pos) over along as nextpos,
        min(pos) over whole as lo,
        max(pos) over whole as hi,
        row_number() over along as nd,
        count(*) over whole as td
    from histogram
    window
        along as (partition by g, d order by v),
        so_far as (partition by g, d order by v rows between unbounded preceding and current row),
        whole as (partition by g, d order by v rows between unbounded preceding and unbounded following)
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
    where walk.d = 0 and walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
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
    left join "kanon_work"."r1_tree_1" as here on here.a1 = walk.pos
    left join "kanon_work"."r1_tree_1" as beyond on beyond.a1 = walk.nextpos
    where walk.d = 1 and walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
    union all
    select
        walk.g,
        walk.d,
        walk.v,
        walk.n,
        walk.cum,
        200000 * walk.td as spread,
        200000 * (walk.n * walk.td - walk.cum * (case when walk.nd > 1 then walk.nd else 0 end) - (walk.n - walk.cum) * (case when (walk.td - walk.nd) > 1 then (walk.td - walk.nd) else 0 end)) as gain
    from walk
    where walk.d = 2 and walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
    
),
ranked as (
    select
        g,
        d,
        v,
        n,
        cum,
        row_number() over (partition by g order by case when n <= 100 or least(cum, n - cum) >= (n // 16) then 0 else 1 end, gain desc, d, v) as place
    from candidates
)
select
    g,
    d,
    v,
    cum as target
from ranked
where place = 1
