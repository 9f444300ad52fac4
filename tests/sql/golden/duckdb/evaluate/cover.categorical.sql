-- evaluate/cover
create table "kanon_work"."r1_cover_1" as
with
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
)
select
    read.label_key,
    under.code
from read_1 as read
join under_1 as under on under.level = read.level and under.label_key = read.label_key
union
select
    rest.label_key,
    members.code
from rest_1 as rest
join members_1 as members on case
        when members.value is null then rest.has_null = 1
        when (bare like '{%}') then position(', ' || replace(replace(members.label_0, '\', '\\'), ',', '\c') || ', ' in ', ' || substr(rest.bare, 2, length(rest.bare) - 2) || ', ') > 0
        else rest.bare = members.label_0
    end
