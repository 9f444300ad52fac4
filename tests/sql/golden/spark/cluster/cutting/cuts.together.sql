-- cluster/cutting/cuts
create table `kanon_work`.`r1_made` as
with candidates as (
    select
        walk.g,
        0 as d,
        walk.v,
        walk.n,
        walk.cum,
        walk.hi - walk.lo as spread,
        (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos)) as gain
    from (
        select
            g,
            n,
            v,
            pos,
            cast(sum(cnt) over (partition by g order by v) as bigint) as cum,
            lead(pos) over (partition by g order by v) as nextpos,
            min(pos) over (partition by g) as lo,
            max(pos) over (partition by g) as hi,
            row_number() over (partition by g order by v) as nd,
            count(*) over (partition by g) as td
        from (
            select
                g,
                n,
                c0 as v,
                a0 as pos,
                cast(sum(w) as bigint) as cnt
            from `kanon_work`.`r1_open_rows`
            group by g, n, c0, a0
        ) as histogram
    ) as walk
    where walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
    union all
    select
        walk.g,
        1 as d,
        walk.v,
        walk.n,
        walk.cum,
        (case when walk.lo = walk.hi then 0 when walk.lo >= here.f1_1 and walk.hi <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.hi <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) as spread,
        walk.n * (case when walk.lo = walk.hi then 0 when walk.lo >= here.f1_1 and walk.hi <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.hi <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) - walk.cum * (case when walk.lo = walk.pos then 0 when walk.lo >= here.f1_1 and walk.pos <= here.t1_1 then 10000 * (here.t1_1 - here.f1_1) when walk.lo >= here.f1_2 and walk.pos <= here.t1_2 then 10000 * (here.t1_2 - here.f1_2) else 1000000 end) - (walk.n - walk.cum) * (case when walk.nextpos = walk.hi then 0 when walk.nextpos >= beyond.f1_1 and walk.hi <= beyond.t1_1 then 10000 * (beyond.t1_1 - beyond.f1_1) when walk.nextpos >= beyond.f1_2 and walk.hi <= beyond.t1_2 then 10000 * (beyond.t1_2 - beyond.f1_2) else 1000000 end) + 2000 * (walk.n * (walk.hi - walk.lo) - walk.cum * (walk.pos - walk.lo) - (walk.n - walk.cum) * (walk.hi - walk.nextpos)) as gain
    from (
        select
            g,
            n,
            v,
            pos,
            cast(sum(cnt) over (partition by g order by v) as bigint) as cum,
            lead(pos) over (partition by g order by v) as nextpos,
            min(pos) over (partition by g) as lo,
            max(pos) over (partition by g) as hi,
            row_number() over (partition by g order by v) as nd,
            count(*) over (partition by g) as td
        from (
            select
                g,
                n,
                c1 as v,
                c1 as pos,
                cast(sum(w) as bigint) as cnt
            from `kanon_work`.`r1_open_rows`
            group by g, n, c1
        ) as histogram
    ) as walk
    left join `kanon_work`.`r1_tree_1` as here on here.a1 = walk.pos
    left join `kanon_work`.`r1_tree_1` as beyond on beyond.a1 = walk.nextpos
    where walk.nextpos is not null and walk.cum >= 5 and walk.n - walk.cum >= 5
    union all
    select
        walk.g,
        2 as d,
        walk.v,
        walk.n,
        walk.cum,
        200000 * walk.td as spread,
        200000 * (walk.n * walk.td - walk.cum * (case when walk.nd > 1 then walk.nd else 0 end) - (walk.n - walk.cum) * (case when (walk.td - walk.nd) > 1 then (walk.td - walk.nd) else 0 end)) as gain
    from (
        select
            g,
            n,
            v,
            pos,
            cast(sum(cnt) over (partition by g order by v) as bigint) as cum,
            lead(pos) over (partition by g order by v) as nextpos,
            min(pos) over (partition by g) as lo,
            max(pos) over (partition by g) as hi,
            row_number() over (partition by g order by v) as nd,
            count(*) over (partition by g) as td
        from (
            select
                g,
                n,
                c2 as v,
                c2 as pos,
                cast(sum(w) as bigint) as cnt
            from `kanon_work`.`r1_open_rows`
            group by g, n, c2
        ) as histogram
    ) as walk
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
    cum as target
from ranked
where place = 1
