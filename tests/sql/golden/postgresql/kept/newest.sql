-- kept/newest
select
    count(*) as rows,
    cast(max("changed") as text) as newest
from "census"."people"
