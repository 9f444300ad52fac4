-- levels/person_range
select
    count(*) as rows,
    count("per son") as named,
    min("per son") as lowest,
    max("per son") as highest
from "census"."people"
