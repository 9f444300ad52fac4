-- onboarding/taxonomy
select
    cast("code" as varchar) as value,
    cast("parent" as varchar) as parent,
    cast("name" as varchar) as label
from "ref"."places"
where "code" is not null
order by
    value nulls first
