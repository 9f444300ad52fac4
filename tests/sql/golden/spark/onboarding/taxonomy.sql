-- onboarding/taxonomy
select
    cast(`code` as string) as value,
    cast(`parent` as string) as parent,
    cast(`name` as string) as label
from `ref`.`places`
where `code` is not null
order by
    value nulls first
