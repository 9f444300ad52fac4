-- checks/linkage
with sides as (
    select
        cast("age" as text) as "age",
        cast("income" as text) as "income",
        cast("bmi" as text) as "bmi",
        cast("seen" as text) as "seen",
        cast("zip" as text) as "zip",
        cast("race" as text) as "race",
        count(*) as "kanon_released",
        0 as "kanon_source_rows",
        0 as "kanon_persons"
    from "release"."people__v1"
    group by "age", "income", "bmi", "seen", "zip", "race"
    union all
    select
        cast("age" as text) as "age",
        cast("income" as text) as "income",
        cast("bmi" as text) as "bmi",
        cast("seen" as text) as "seen",
        cast("zip" as text) as "zip",
        cast("race" as text) as "race",
        0 as "kanon_released",
        count(*) as "kanon_source_rows",
count(distinct "person") as "kanon_persons"
    from (
    select
        cast(cast((cast(rows."age" as bigint) - (((cast(rows."age" as bigint) % 5) + 5) % 5)) as text) || '-' || cast(((cast(rows."age" as bigint) - (((cast(rows."age" as bigint) % 5) + 5) % 5)) + 4) as text) as text) as "age",
        cast(case when (rows."income" = 'NaN') then 'NaN' when rows."income" >= cast('Infinity' as numeric) then 'very large' when rows."income" <= -cast('Infinity' as numeric) then 'very small' else '[' || cast(round(cast((round(cast(rows."income" as numeric), 2) - (((round(cast(rows."income" as numeric), 2) % round(cast(0.5 as numeric), 2)) + round(cast(0.5 as numeric), 2)) % round(cast(0.5 as numeric), 2))) as numeric), 2) as text) || ', ' || cast(round(cast(((round(cast(rows."income" as numeric), 2) - (((round(cast(rows."income" as numeric), 2) % round(cast(0.5 as numeric), 2)) + round(cast(0.5 as numeric), 2)) % round(cast(0.5 as numeric), 2))) + round(cast(0.5 as numeric), 2)) as numeric), 2) as text) || ')' end as text) as "income",
        cast(case when (rows."bmi" = 'NaN') then 'NaN' else case when rows."bmi" < 18.5 then '<18.5' when rows."bmi" < 25 then '[18.5, 25)' when rows."bmi" >= 25 then '>=25' end end as text) as "bmi",
        cast(case when isfinite(rows."seen") then lpad(cast(cast(extract(year from (rows."seen" at time zone 'UTC')) as bigint) as text), 4, '0') || '-' || lpad(cast(cast(extract(month from (rows."seen" at time zone 'UTC')) as bigint) as text), 2, '0') when rows."seen" is not null then 'infinite' end as text) as "seen",
        cast(case when length(cast(rows."zip" as text)) > 3 then substr(cast(rows."zip" as text), 1, 3) || '*' else cast(rows."zip" as text) end as text) as "zip",
        lookup_5."label_1" as "race",
        rows."person" as "person"
    from "census"."people" as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_5 ("value", "label_1") on cast(rows."race" as text) = lookup_5."value"

    ) as source
    group by "age", "income", "bmi", "seen", "zip", "race"
),
classes as (
    select
        sum("kanon_released") as released,
        sum("kanon_source_rows") as source_rows,
        sum("kanon_persons") as persons
    from sides
    group by "age", "income", "bmi", "seen", "zip", "race"
)
select
    coalesce(sum(released), 0) as released,
    coalesce(sum(case when persons < 5 then released else 0 end), 0) as released_below,
    coalesce(min(case when released > 0 then persons end), 0) as fewest_persons,
    coalesce(sum(case when released > 0 then source_rows else 0 end), 0) as linked,
    coalesce(sum(case when released > 0 and released < 5 then source_rows else 0 end), 0) as linked_below,
    coalesce(min(case when released > 0 and source_rows > 0 then released end), 0) as fewest_rows,
    coalesce(sum(case when released = 0 then source_rows else 0 end), 0) as unlinked,
    coalesce(sum(case when source_rows = 0 then released else 0 end), 0) as strangers
from classes
