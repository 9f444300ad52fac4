-- metrics/score
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
),
running_0 as (
    select
        label_key,
        n,
        has_null,
        low,
        high,
        side,
        sum(source_n) over (order by x, side rows unbounded preceding) as source_rows,
        sum(one) over (order by x, side rows unbounded preceding) as size
    from (
        select
            label_key,
            n,
            has_null,
            low,
            high,
            side,
            case when side < 0 then low else high end as x,
            0 as source_n,
            0 as one
        from ends_0
        cross join (select -1 as side union all select 1 as side) as sides
        union all
        select null, null, null, null, null, 0, x, n, 1
        from members_0
        where x is not null
    ) as points
),
parsed_0 as (
    select
        label_key,
        n,
        low,
        high,
        sum(side * size) + has_null as size,
        sum(side * source_rows)
            + has_null * coalesce((select sum(n) from members_0 where value is null), 0) as source_rows
    from running_0 as ends
    where label_key is not null
    group by label_key, n, low, high, has_null
    having sum(side * size) > 0
),
cells_0 as (
    select
        n,
        level,
        case when level = 2 then 1 else 0 end as is_star,
        size,
        low,
        high,
        source_rows,
        whole
    from read_0
    where level is not null
    union all
    select
        n,
        cast(null as integer) as level,
        0 as is_star,
        size,
        low,
        high,
        source_rows,
        cast(null as integer) as whole
    from parsed_0
),
domain_0 as (
    select
        count(*) as size,
        max(x) - min(x) as width,
        sum(n) as source_rows
    from members_0
),
labels_1 as (
    select
        coalesce('=' || label_1, '') as label_key,
        label_1 as label,
        sum(n) as n,
        count(*) over () as labels
    from "kanon_work"."r1_workload_published"
    group by label_1
),
members_1 as (
    select
        q1_0 as code,
        value,
        n,
        cast(null as double) as x
        , case when value is null then '\N' else replace(replace(label_0, '\', '\\'), ',', '\c') end as element
        , label_0
        , label_1
    from "kanon_work"."r1_dictionary_1"
),
under_1 as (
    select
        0 as level,
        coalesce('=' || label_0, '') as label_key,
        members.*
    from members_1 as members
    union all
    select
        1 as level,
        coalesce('=' || label_1, '') as label_key,
        members.*
    from members_1 as members
    union all
    select
        2 as level,
        '=*' as label_key,
        members.*
    from members_1 as members
    union all
    select
        2 as level,
        '' as label_key,
        members.*
    from members_1 as members
    
),
groups_1 as (
    select
        level,
        label_key,
        count(*) as size,
        min(x) as low,
        max(x) as high,
        sum(case when level = 2 and label_key = '' and value is null then n else 0 end) as more_than,
        sum(n) as source_rows
    from under_1
    group by level, label_key
),
found_1 as (
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
    from labels_1 as labels
    left join groups_1 as known
        on known.label_key = labels.label_key and labels.n <= known.source_rows and labels.n > known.more_than
),
levels_1 as (
    select
        found.*,
        min(case when found = labels then level end) over () as whole
    from found_1 as found
),
read_1 as (
    select *
    from (
        select
            levels.*,
            row_number() over (partition by label_key order by case when level = whole then 0 else 1 end, level) as place
        from levels_1 as levels
    ) as ranked
    where place = 1
),
rest_1 as (
    select
        label_key,
        n,
        case when label like '% or NULL' then substr(label, 1, length(label) - 8) else label end as bare,
        case when (label like '% or NULL') then 1 else 0 end as has_null
    from read_1
    where level is null
),
elements_1 as (
    select distinct
        label_key,
        n,
        case when (bare like '{%}') then (length(bare) - 2) + 2 end as characters,
        unnest(string_split(case when (bare like '{%}') then substr(bare, 2, length(bare) - 2) else replace(replace(bare, '\', '\\'), ',', '\c') end || case when has_null = 1 then ', \N' else '' end, ', ')) as element
    from rest_1
),
parsed_1 as (
    select
        elements.label_key,
        elements.n,
        cast(null as double) as low,
        cast(null as double) as high,
        count(*) as size,
        sum(members.n) as source_rows
    from elements_1 as elements
    join members_1 as members on members.element = elements.element
    group by elements.label_key, elements.n, elements.characters
    having elements.characters is null
        or elements.characters = sum(case when members.value is not null then length(members.element) + 2 else 0 end)
),
cells_1 as (
    select
        n,
        level,
        case when level = 2 then 1 else 0 end as is_star,
        size,
        low,
        high,
        source_rows,
        whole
    from read_1
    where level is not null
    union all
    select
        n,
        cast(null as integer) as level,
        0 as is_star,
        size,
        low,
        high,
        source_rows,
        cast(null as integer) as whole
    from parsed_1
),
domain_1 as (
    select
        count(*) as size,
        max(x) - min(x) as width,
        sum(n) as source_rows
    from members_1
)
select
    0 as attribute,
    (select count(*) from labels_0) as labels,
    max(whole) as level,
    (select count(*) from labels_0) - count(*) as unread,
    max(domain.size) as domain_size
from cells_0 as cells
cross join domain_0 as domain
union all
select
    1 as attribute,
    (select count(*) from labels_1) as labels,
    max(whole) as level,
    (select count(*) from labels_1) - count(*) as unread,
    max(domain.size) as domain_size
from cells_1 as cells
cross join domain_1 as domain
