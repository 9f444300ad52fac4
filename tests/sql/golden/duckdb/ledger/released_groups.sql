-- ledger/released_groups
create view "kanon_work"."r1_coded" as
select staged_persons.*
from "census"."people" as staged_persons
left join "kanon_work"."r1_ledger_withheld" as withheld on withheld.place_of_row = staged_persons."kanon_row"
where withheld.place_of_row is null
