-- cluster/cutting/open_combinations
create table "kanon_work"."r1_made" as
select
    rid,
    cast(1 as bigint) as g,
    cast(sum(w) over () as bigint) as n
    , c0
    , c1
    , c2
    , a0
    , w
from (
    select
        min(rid) as rid
        , c0
        , c1
        , c2
        , a0
        , count(*) as w
    from "kanon_work"."r1_rows"
    group by c0, c1, c2, a0
) as combinations
