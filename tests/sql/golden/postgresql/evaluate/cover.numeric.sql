-- evaluate/cover
create unlogged table "kanon_work"."r1_cover_0" as
with labels as (
    select
        coalesce('=' || label_0, '') as label_key,
        label_0 as label,
        sum(n) as n
    from "kanon_work"."r1_workload_published"
    group by label_0
),
members as (
    select
        q0_0 as code,
        value,
        label_0,
        n,
        cast(value as double precision) as x
        , label_1
    from "kanon_work"."r1_dictionary_0"
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
),
ends as (
    select
        label_key,
        has_null,
        case when (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?')) then cast(case when bare like '[%' then substr(bare, 2, (position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) - 2) else bare end as double precision) end as low,
        case when (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?')) then cast(case when bare like '[%' then substr(bare, ((position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) + 1), length(bare) - ((position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) + 1)) else bare end as double precision) end as high
    from rest
    where (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?'))
)
select
    chosen.label_key as label_key,
    levels.code as code
from chosen
join levels on levels.level = chosen.level and levels.label_key = chosen.label_key
union
select
    ends.label_key,
    members.code
from ends
join members on members.x between ends.low and ends.high or (ends.has_null = 1 and members.value is null)
union
select
    rest.label_key,
    members.code
from rest
join members on (bare like '{%}') and position(', ' || replace(replace(members.label_0, '\', '\\'), ',', '\c') || ', ' in ', ' || substr(rest.bare, 2, length(rest.bare) - 2) || ', ') > 0 or (rest.has_null = 1 and members.value is null)
where rest.label_key not in (select label_key from ends)
