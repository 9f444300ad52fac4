-- ledger/members_behind
create table "kanon_work"."r1_members" as
select distinct
    substr(sha256('sa''lt' || cast(rows."kanon_person" as varchar)), 1, 32) as person_key,
    cast(rows."kanon_class" as varchar) as class_key
    , rows."kanon_sensitive_0" as s0
from (
    select
        behind.*,
        dense_rank() over (order by "age", "to""wn") as "kanon_class"
    from "kanon_work"."r1_coded" as behind
) as rows
where rows."kanon_person" is not null
