-- metrics/published
create table "kanon_work"."r1_score_published" as
select
    cast(age as text) as label_0,
    '*' as label_1,
    "ill" as target,
    cast(count(*) as bigint) as n
from "census"."people"
group by
    cast(age as text),
    '*',
    "ill"
