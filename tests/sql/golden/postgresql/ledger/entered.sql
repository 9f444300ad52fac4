-- ledger/entered
select count(*) as entries
from (
    select distinct
        person_key,
        class_key
    from "kanon_work"."r1_members"
) as entered
