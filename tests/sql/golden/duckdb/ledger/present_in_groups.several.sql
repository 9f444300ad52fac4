-- ledger/present_in_groups
create table "kanon_work"."r1_ledger_present" as
select
    found.person,
    coalesce(people.person_key, found.person_key) as person_key,
    coalesce(people.row_key, found.row_key) as row_key,
    found.class,
    found.s0,
    case when found.class is null then 0 else 1 end as n,
    coalesce(people.cell, whole.cell, 0) as cell,
    case when people.person_key is null then 0 else 1 end as known,
    found.place_of_row
from (
    select
        numbered.person,
case when numbered.person is null then cast('0x' || left(sha256('sa''lt' || coalesce(cast(length(cast(numbered.v0 as varchar)) as varchar) || ':' || cast(numbered.v0 as varchar), '-') || case when numbered.place > 1 then ' ' || cast(numbered.place as varchar) else '' end), 15) as bigint) else cast('0x' || left(sha256('sa''lt' || cast(numbered.person as varchar)), 15) as bigint) end as person_key,
case when numbered.person is null then cast('0x' || left(sha256('sa''lt' || coalesce(cast(length(cast(numbered.v0 as varchar)) as varchar) || ':' || cast(numbered.v0 as varchar), '-')), 15) as bigint) else cast('0x' || left(sha256('sa''lt' || coalesce(cast(length(cast(numbered.person as varchar)) as varchar) || ':' || cast(numbered.person as varchar), '-') || coalesce(cast(length(cast(numbered.v0 as varchar)) as varchar) || ':' || cast(numbered.v0 as varchar), '-') || case when numbered.place > 1 then ' ' || cast(numbered.place as varchar) else '' end), 15) as bigint) end as row_key,
        numbered.class,
        numbered.s0,
        numbered.place_of_row
    from (
        select
            classed."kanon_person" as person,
            classed."kanon_raw_0" as v0,
            classed."kanon_class" as class,
            classed."kanon_sensitive_0" as s0,
            row_number() over (
                partition by classed."kanon_person", classed."kanon_raw_0"
                order by classed."kanon_class", classed."kanon_row"
            ) as place,
            classed."kanon_row" as place_of_row
        from (
            select
                staged_persons.*,
                dense_rank() over (order by "age", "to""wn") as "kanon_class"
            from "kanon_work"."r1_coded" as staged_persons
        ) as classed
    ) as numbered
) as found
full join "kanon_ledger"."people_0123456789ab" as people on people.person_key = found.person_key
    and people.row_key = found.row_key
left join "kanon_ledger"."people_0123456789ab" as whole on whole.person_key = found.person_key
    and whole.row_key = 0
