-- levels/person_range
select
    count(*) as rows,
    min(`per son`) as lowest,
    max(`per son`) as highest
from `census`.`people`
