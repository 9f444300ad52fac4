-- evaluate/cover
create table "kanon_work"."r1_cover_1" as
with labels as (
    select
        coalesce('=' || label_1, '') as label_key,
        label_1 as label,
        sum(n) as n
    from "kanon_work"."r1_workload_published"
    group by label_1
),
members as (
    select
        q1_0 as code,
        value,
        label_0,
        n,
        cast(null as double) as x
        , label_1
    from "kanon_work"."r1_dictionary_1"
),
levels as (
    select 0 as level, coalesce('=' || label_0, '') as label_key, code, n from members
    union all
    select 1 as level, coalesce('=' || label_1, '') as label_key, code, n from members
    union all
    select 2 as level, '=*' as label_key, code, n from members
),
known as (
    select
        level,
        label_key,
        sum(n) as source_rows
    from levels
    group by
        level,
        label_key
),
found as (
    select
        labels.label_key as label_key,
        known.level as level
    from labels
    join known on known.label_key = labels.label_key and labels.n <= known.source_rows
),
whole as (
    select min(level) as level
    from (
        select level
        from found
        group by level
        having count(*) = (select count(*) from labels)
    ) as complete
),
chosen as (
    select
        found.label_key as label_key,
        coalesce(min(whole.level), min(found.level)) as level
    from found
    cross join whole
    group by found.label_key
),
rest as (
    select
        label_key,
        case when label like '% or NULL' then substr(label, 1, length(label) - 8) else label end as bare,
        case when (label like '% or NULL') then 1 else 0 end as has_null
    from labels
    where label_key not in (select label_key from chosen)
)
select
    chosen.label_key as label_key,
    levels.code as code
from chosen
join levels on levels.level = chosen.level and levels.label_key = chosen.label_key
union
select
    rest.label_key,
    members.code
from rest
join members on (bare like '{%}') and position(', ' || replace(replace(members.label_0, '\', '\\'), ',', '\c') || ', ' in ', ' || substr(rest.bare, 2, length(rest.bare) - 2) || ', ') > 0 or (rest.has_null = 1 and members.value is null)
where (bare like '{%}') or rest.has_null = 1
