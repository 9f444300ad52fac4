-- ledger/person_rows
select count(*) as rows
from "census"."people" as source
where cast(source."id" as varchar) = 'o''neil'
