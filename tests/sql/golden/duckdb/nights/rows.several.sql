-- nights/rows
create table "kanon_work"."r1_night_rows" as
select
    behind.*
from (
    select distinct
        units.rid,
        substr(sha256('sa''lt' || cast(numbered."id" as varchar)), 1, 32) as person_key,
        substr(sha256('sa''lt' || cast(numbered."id" as varchar)), 1, 32) as row_key,
        case when numbered."id" is null then 0 else 1 end as named
    from (
        select
            rows.*,
            row_number() over (
                partition by rows."kanon_q0_0"
                order by rows.id
            ) as "kanon_place",
            1 as "kanon_ordinal"
        from "kanon_work"."r1_coded" as rows
    ) as numbered
    join "kanon_work"."r1_units" as units on units.place = numbered."kanon_place"
        and units.q0_0 = numbered."kanon_q0_0"
) as behind
join "kanon_work"."r1_rows" as coded on coded.rid = behind.rid
