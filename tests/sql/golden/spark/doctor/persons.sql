-- doctor/persons
select
    count(*) as row_count,
    count(distinct `person_id`) as persons,
    count(*) - count(`person_id`) as without_person
from `census`.`people`
