-- kept/newest
select
    count(*) as rows,
    cast(max("changed") as varchar) as newest
from "census"."people"
