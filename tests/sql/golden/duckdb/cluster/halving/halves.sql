-- cluster/halving/halves
create table "kanon_work"."r1_made" as
select
    rid,
    case when place <= least(greatest(leaning, case when n > 100 then (n // 10) else 5 end), n - (case when n > 100 then (n // 10) else 5 end)) then 2 * g else 2 * g + 1 end as side
    , a0
    , a1
    , f1_1
    , t1_1
    , m0

from (
    select
        weighed.*,
        row_number() over (partition by g order by lean, rid) as place,
        sum(case when lean < 0 or (lean = 0 and rid % 2 = 0) then 1 else 0 end) over (partition by g) as leaning
    from (
        select
            open.rid,
            open.g,
            open.n,
            (((case when here.hi0 > open.a0 then here.hi0 else open.a0 end) - (case when here.lo0 < open.a0 then here.lo0 else open.a0 end)) + (case when (case when here.lo1 < open.a1 then here.lo1 else open.a1 end) = (case when here.hi1 > open.a1 then here.hi1 else open.a1 end) then 0 when (case when here.lo1 < open.a1 then here.lo1 else open.a1 end) >= open.f1_1 and (case when here.hi1 > open.a1 then here.hi1 else open.a1 end) <= open.t1_1 then 10000 * (open.t1_1 - open.f1_1) else 1000000 end) + (case when cast(bit_count(((here.b0 | open.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((here.b0 | open.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((here.b0 | open.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((here.b0 | open.m0) & 96)) as bigint)) else 0 end)) - (((case when there.hi0 > open.a0 then there.hi0 else open.a0 end) - (case when there.lo0 < open.a0 then there.lo0 else open.a0 end)) + (case when (case when there.lo1 < open.a1 then there.lo1 else open.a1 end) = (case when there.hi1 > open.a1 then there.hi1 else open.a1 end) then 0 when (case when there.lo1 < open.a1 then there.lo1 else open.a1 end) >= open.f1_1 and (case when there.hi1 > open.a1 then there.hi1 else open.a1 end) <= open.t1_1 then 10000 * (open.t1_1 - open.f1_1) else 1000000 end) + (case when cast(bit_count(((there.b0 | open.m0) & 31)) as bigint) > 1 then 200000 * (cast(bit_count(((there.b0 | open.m0) & 31)) as bigint)) else 0 end) + (case when cast(bit_count(((there.b0 | open.m0) & 96)) as bigint) > 1 then 1500000 * (cast(bit_count(((there.b0 | open.m0) & 96)) as bigint)) else 0 end)) as lean
    , open.a0
    , open.a1
    , open.f1_1
    , open.t1_1
    , open.m0

        from "kanon_work"."r1_open_rows" as open
        join "kanon_work"."r1_left_seeds" as here on here.g = open.g
        join "kanon_work"."r1_right_seeds" as there on there.g = open.g
    ) as weighed
) as placed
