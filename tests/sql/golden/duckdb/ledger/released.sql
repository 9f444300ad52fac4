-- ledger/released
create view "kanon_work"."r1_coded" as
select source.*
from "census"."people" as source
left join "kanon_work"."r1_ledger_withheld" as withheld on coalesce(cast(withheld."id" as varchar), '') = coalesce(cast(source."id" as varchar), '')
    and withheld."id" is not distinct from source."id"
    and withheld."age" is not distinct from source."age"
where withheld."kanon_n" is null
