-- kept/newest
select
    count(*) as rows,
    cast(max(`changed`) as string) as newest
from `census`.`people`
