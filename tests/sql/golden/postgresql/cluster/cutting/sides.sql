-- cluster/cutting/sides
create unlogged table "kanon_work"."r1_made" as
select
    rid,
    case
        when place <= target then 2 * g
        else 2 * g + 1
    end as side
    , c0
    , c1
    , c2
    , a0

from (
    select
        open.rid,
        open.g,
        cuts.v,
        case cuts.d when 0 then open.c0 when 1 then open.c1 when 2 then open.c2 end as value,
        row_number() over (
            partition by open.g
            order by case cuts.d when 0 then open.c0 when 1 then open.c1 when 2 then open.c2 end, open.rid
        ) as place,
        coalesce(cuts.target, (((open.n / 5) + 1) / 2) * 5) as target
    , open.c0
    , open.c1
    , open.c2
    , open.a0

    from "kanon_work"."r1_open_rows" as open
    left join "kanon_work"."r1_cuts" as cuts on cuts.g = open.g
) as placed
