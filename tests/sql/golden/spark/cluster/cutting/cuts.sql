-- cluster/cutting/cuts
create table `kanon_work`.`r1_made` as
with cells as (
    select
        g,
        stack(
            3,
            0, cast(c0 as bigint), cast(a0 as bigint),
            1, cast(c1 as bigint), cast(c1 as bigint),
            2, cast(c2 as bigint), cast(c2 as bigint)
        ) as (d, v, pos)
    from `kanon_work`.`r1_open_rows`
),
histogram as (
    select
        g,
        d,
        v,
        max(pos) as pos,
        count(*) as cnt
    from cells
    group by g, d, v
    distribute by g
),
walk as (
    select
        g,
        d,
        v,
        pos,
        cast(sum(cnt) over before as bigint) as cum,
        lead(pos) over along as nextpos,
        row_number() over along as nd,
        cast(sum(cnt) over whole as bigint) as n,
        min(pos) over whole as lo,
        max(pos) over whole as hi,
        count(*) over whole as td
        , case d when 2 then 200000 end as unit
    from histogram
    window
        along as (partition by g, d order by v),
        before as (partition by g, d order by v rows between unbounded preceding and current row),
        whole as (partition by g, d)
),
candidates as (
    select
        walk.g,
        walk.d,
        walk.v,
        walk.n,
        walk.cum,
        case
            when walk.d in (0)
                then walk.hi - walk.lo
            when walk.d in (1)
                then (case when walk.lo = walk.hi then 0 when walk.lo >= here_1.f1_1 and walk.hi <= here_1.t1_1 then 10000 * (here_1.t1_1 - here_1.f1_1) when walk.lo >= here_1.f1_2 and walk.hi <= here_1.t1_2 then 10000 * (here_1.t1_2 - here_1.f1_2) else 1000000 end)
            when walk.d in (2)
                then walk.unit * walk.td
        end as spread,
        case
            when walk.d in (0)
                then (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos))
            when walk.d in (1)
                then walk.n * (case when walk.lo = walk.hi then 0 when walk.lo >= here_1.f1_1 and walk.hi <= here_1.t1_1 then 10000 * (here_1.t1_1 - here_1.f1_1) when walk.lo >= here_1.f1_2 and walk.hi <= here_1.t1_2 then 10000 * (here_1.t1_2 - here_1.f1_2) else 1000000 end) - walk.cum * (case when walk.lo = walk.pos then 0 when walk.lo >= here_1.f1_1 and walk.pos <= here_1.t1_1 then 10000 * (here_1.t1_1 - here_1.f1_1) when walk.lo >= here_1.f1_2 and walk.pos <= here_1.t1_2 then 10000 * (here_1.t1_2 - here_1.f1_2) else 1000000 end) - (walk.n - walk.cum) * (case when walk.nextpos = walk.hi then 0 when walk.nextpos >= beyond_1.f1_1 and walk.hi <= beyond_1.t1_1 then 10000 * (beyond_1.t1_1 - beyond_1.f1_1) when walk.nextpos >= beyond_1.f1_2 and walk.hi <= beyond_1.t1_2 then 10000 * (beyond_1.t1_2 - beyond_1.f1_2) else 1000000 end) + 2000 * (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos))
            when walk.d in (2)
                then walk.unit * (walk.n * walk.td - walk.cum * (case when walk.nd > 1 then walk.nd else 0 end) - (walk.n - walk.cum) * (case when (walk.td - walk.nd) > 1 then (walk.td - walk.nd) else 0 end))
        end as gain
    from walk
    left join `kanon_work`.`r1_tree_1` as here_1 on here_1.a1 = walk.pos and walk.d = 1
    left join `kanon_work`.`r1_tree_1` as beyond_1 on beyond_1.a1 = walk.nextpos and walk.d = 1
    where walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
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
