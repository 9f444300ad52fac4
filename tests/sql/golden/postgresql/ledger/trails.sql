-- ledger/trails
create unlogged table "kanon_work"."r1_trails" as
select
    person_key,
    string_agg(cast(version as text) || ':' || class_key, ',' order by version, class_key) as trail,
    max(case when version = 7 then 1 else 0 end) as present,
    max(case when version < 7 then 1 else 0 end) as earlier
from (
    select person_key, version, class_key
    from "kanon_ledger"."memberships"
    where job = 'release.people'
    union all
    select distinct
        person_key,
        cast(7 as bigint) as version,
        class_key
    from "kanon_work"."r1_members"
) as appearances
group by person_key
having max(case when version in (7, 6) then 1 else 0 end) = 1
