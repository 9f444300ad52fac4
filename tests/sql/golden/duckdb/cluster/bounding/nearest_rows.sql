-- cluster/bounding/nearest_rows
with sampled as (
    select
        rid
    , a0
    , a1
    , f1_1
    , t1_1
    , f1_2
    , t1_2
    , m0

    from "kanon_work"."r1_rows"
    order by (rid * 2654435761 + 40503) % 2147483647, rid
    limit 100
),
limited as (
    select
        sampled.*,
        case when boxes.n >= 5 then boxes.loss else 1152921504606846976 end as most
    from sampled
    left join "kanon_work"."r1_assignment" as assigned on assigned.rid = sampled.rid
    left join "kanon_work"."r1_boxes" as boxes on boxes.g = assigned.g
),
combinations as (
    select
        count(*) as n
    , a0
    , a1
    , f1_1
    , t1_1
    , f1_2
    , t1_2
    , m0

    from "kanon_work"."r1_rows"
    group by a0, a1, f1_1, t1_1, f1_2, t1_2, m0
),
pairs as (
    select *
    from (
        select
            sampled.rid,
            sampled.most,
            other.n,
            cast(abs(other.a0 - sampled.a0) + (case when (case when other.a1 < sampled.a1 then other.a1 else sampled.a1 end) = (case when other.a1 > sampled.a1 then other.a1 else sampled.a1 end) then 0 when (case when other.a1 < sampled.a1 then other.a1 else sampled.a1 end) >= sampled.f1_1 and (case when other.a1 > sampled.a1 then other.a1 else sampled.a1 end) <= sampled.t1_1 then 10000 * (sampled.t1_1 - sampled.f1_1) when (case when other.a1 < sampled.a1 then other.a1 else sampled.a1 end) >= sampled.f1_2 and (case when other.a1 > sampled.a1 then other.a1 else sampled.a1 end) <= sampled.t1_2 then 10000 * (sampled.t1_2 - sampled.f1_2) else 1000000 end) + (case when (other.m0 & sampled.m0 & 31) <> 0 then 0 else 400000 end) as bigint) as loss
        from limited as sampled
        cross join combinations as other
    ) as all_pairs
    where loss <= most
),
distances as (
    select
        rid,
        loss,
        sum(n) as n
    from pairs
    group by rid, loss
),
reached as (
    select
        rid,
        loss,
        sum(n) over (partition by rid order by loss rows between unbounded preceding and current row) as n
    from distances
),
nearest as (
    select
        rid,
        min(loss) as loss
    from reached
    where n >= 5
    group by rid
)
select
    count(*) as sample,
    coalesce(sum(cast(loss as double)), 0) as total,
    coalesce(sum(cast(loss as double) * loss), 0) as squares
from nearest
