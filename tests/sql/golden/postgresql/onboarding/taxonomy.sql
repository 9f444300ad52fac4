-- onboarding/taxonomy
select
    cast("code" as text) as value,
    cast("parent" as text) as parent,
    cast("name" as text) as label
from "ref"."places"
where "code" is not null
order by
    value collate "C" nulls first
