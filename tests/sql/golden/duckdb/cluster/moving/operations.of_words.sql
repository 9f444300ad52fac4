-- cluster/moving/operations
create table "kanon_work"."r1_made" as
with changes as materialized (
    select
        mover.rid,
        mover.g,
        candidates.g2,
        partner.rid as rid2,
        case
            when
                candidates.n2 * (candidates.loss3 - candidates.loss2 - (partner.loss - partner.loss_without_row))
                < mover.n * (mover.loss - mover.loss_without_row) + ((((mover.rid * 31 + partner.rid * 17 + 7063) % 1000003 * 2654435761) % 2147483647 % 1000 * 100) // 1000)
                then
                    mover.n * ((mover.loss_without_row + (case when partner.a0 > mover.w_hi0 then partner.a0 - mover.w_hi0 when partner.a0 < mover.w_lo0 then mover.w_lo0 - partner.a0 else 0 end) + (case when (partner.m0 & 127 & mover.w_b0) = (partner.m0 & 127) then 0 else (case when (partner.m0 & 31 & mover.w_b0) = (partner.m0 & 31) then 0 when cast(bit_count((mover.w_b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + (case when (partner.m0 & 96 & mover.w_b0) = (partner.m0 & 96) then 0 when cast(bit_count((mover.w_b0 & 96)) as bigint) > 1 then 300000 else 600000 end) end)) - mover.loss) + candidates.n2 * ((partner.loss_without_row + (case when mover.a0 > partner.w_hi0 then mover.a0 - partner.w_hi0 when mover.a0 < partner.w_lo0 then partner.w_lo0 - mover.a0 else 0 end) + (case when (mover.m0 & 127 & partner.w_b0) = (mover.m0 & 127) then 0 else (case when (mover.m0 & 31 & partner.w_b0) = (mover.m0 & 31) then 0 when cast(bit_count((partner.w_b0 & 31)) as bigint) > 1 then 200000 else 400000 end) + (case when (mover.m0 & 96 & partner.w_b0) = (mover.m0 & 96) then 0 when cast(bit_count((partner.w_b0 & 96)) as bigint) > 1 then 300000 else 600000 end) end)) - candidates.loss2)
                    - ((((mover.rid * 31 + partner.rid * 17 + 7063) % 1000003 * 2654435761) % 2147483647 % 1000 * 100) // 1000)
            else 0
        end as delta
    from "kanon_work"."r1_candidates" as candidates
    join "kanon_work"."r1_row_context" as mover on mover.rid = candidates.rid
    join "kanon_work"."r1_row_context" as partner on partner.g = candidates.g2
    where mover.n > 1 and candidates.n2 > 1 and mover.loss > mover.loss_without_row
    union all
    select
        mover.rid,
        mover.g,
        candidates.g2,
        cast(0 as bigint) as rid2,
        (n2 + 1) * loss3 - n2 * loss2 - (n * loss - (n - 1) * loss_without_row)
        + (case when n - 1 >= 5 or n - 1 = 0 then 0 else 50 * (5 - (n - 1)) end) - (case when n >= 5 or n = 0 then 0 else 50 * (5 - (n)) end) + (case when n2 + 1 >= 5 or n2 + 1 = 0 then 0 else 50 * (5 - (n2 + 1)) end) - (case when n2 >= 5 or n2 = 0 then 0 else 50 * (5 - (n2)) end) - ((((mover.rid * 31 + 0 * 17 + 7063) % 1000003 * 2654435761) % 2147483647 % 1000 * 100) // 1000) as delta
    from "kanon_work"."r1_candidates" as candidates
    join "kanon_work"."r1_row_context" as mover on mover.rid = candidates.rid
    where candidates.n2 < 9
),
best as (
    select
        changes.*,
        row_number() over (partition by rid order by delta, g2, rid2) as place
    from changes
    where delta < 0
)
select
    rid,
    g,
    g2,
    rid2,
    delta,
    row_number() over (order by delta, rid) as place
from best
where place = 1
