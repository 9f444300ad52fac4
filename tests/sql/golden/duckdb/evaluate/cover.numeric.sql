-- evaluate/cover
create table "kanon_work"."r1_cover_0" as
with
labels_0 as (
    select
        coalesce('=' || label_0, '') as label_key,
        label_0 as label,
        sum(n) as n,
        count(*) over () as labels
    from "kanon_work"."r1_workload_published"
    group by label_0
),
members_0 as (
    select
        q0_0 as code,
        value,
        n,
        cast(value as double) as x
        , label_0
        , label_1
    from "kanon_work"."r1_dictionary_0"
),
under_0 as (
    select
        0 as level,
        coalesce('=' || label_0, '') as label_key,
        members.*
    from members_0 as members
    union all
    select
        1 as level,
        coalesce('=' || label_1, '') as label_key,
        members.*
    from members_0 as members
    union all
    select
        2 as level,
        '=*' as label_key,
        members.*
    from members_0 as members
    union all
    select
        2 as level,
        '' as label_key,
        members.*
    from members_0 as members
    
),
groups_0 as (
    select
        level,
        label_key,
        count(*) as size,
        min(x) as low,
        max(x) as high,
        sum(case when level = 2 and label_key = '' and value is null then n else 0 end) as more_than,
        sum(n) as source_rows
    from under_0
    group by level, label_key
),
found_0 as (
    select
        labels.label_key,
        labels.label,
        labels.n,
        labels.labels,
        known.level,
        known.size,
        known.low,
        known.high,
        known.source_rows,
        count(known.level) over (partition by known.level) as found
    from labels_0 as labels
    left join groups_0 as known
        on known.label_key = labels.label_key and labels.n <= known.source_rows and labels.n > known.more_than
),
levels_0 as (
    select
        found.*,
        min(case when found = labels then level end) over () as whole
    from found_0 as found
),
read_0 as (
    select *
    from (
        select
            levels.*,
            row_number() over (partition by label_key order by case when level = whole then 0 else 1 end, level) as place
        from levels_0 as levels
    ) as ranked
    where place = 1
),
rest_0 as (
    select
        label_key,
        n,
        case when label like '% or NULL' then substr(label, 1, length(label) - 8) else label end as bare,
        case when (label like '% or NULL') then 1 else 0 end as has_null
    from read_0
    where level is null
),
ends_0 as (
    select
        label_key,
        n,
        has_null,
        case when (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?')) then cast(case when bare like '[%' then substr(bare, 2, (position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) - 2) else bare end as double) end as low,
        case when (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?')) then cast(case when bare like '[%' then substr(bare, ((position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) + 1), length(bare) - ((position('-' in replace(replace(substr(bare, 3), 'e-', 'e~'), 'E-', 'E~')) + 2) + 1)) else bare end as double) end as high
    from rest_0
    where (bare similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?' or (bare like '[%]' and substr(bare, 2, length(bare) - 2) similar to '-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?--?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?'))
)
select
    read.label_key,
    under.code
from read_0 as read
join under_0 as under on under.level = read.level and under.label_key = read.label_key
union
select
    ends.label_key,
    members.code
from ends_0 as ends
join members_0 as members on members.x between ends.low and ends.high or (ends.has_null = 1 and members.value is null)
