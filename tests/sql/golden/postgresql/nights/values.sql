-- nights/values
create unlogged table "kanon_work"."r1_night_values" as
select
    held.g,
    held.attribute,
    held.word
from "kanon_ledger"."groups_1_2_values_v7" as held
join "kanon_work"."r1_night_live" as live on live.g = held.g
union all
select distinct
    assigned.g,
    cast(3 as bigint) as attribute,
    case when words.label_0 is null then 'n' else 'v' || words.label_0 end as word
from "kanon_work"."r1_night_founded" as assigned
join "kanon_work"."r1_units" as units on units.rid = assigned.rid
join "kanon_work"."r1_dictionary_3" as words on words.q3_0 = units.q3_0
where assigned.g is not null
