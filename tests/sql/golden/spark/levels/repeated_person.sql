-- levels/repeated_person
select count(*) as repeated
from (
    select 1 as one
    from `census`.`people`
    group by `per son`
    having count(*) > 1
    limit 1
) as persons
