-- release/guard_identifiers
select
    0 as place,
    count(`id`) as filled,
    count(distinct `id`) as persons
from `census`.`people`
union all
select
    1 as place,
    count(`name`) as filled,
    count(distinct `name`) as persons
from `census`.`people`
