-- release/verify_persons
with source as (
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

),
sides as (
    select
        "age", "income", "bmi", "seen", "zip", "race",
        1 as "kanon_published",
        0 as "kanon_persons"
    from "release"."people__v1"
    union all
    select
        "age", "income", "bmi", "seen", "zip", "race",
        0 as "kanon_published",
        count(distinct "person") as "kanon_persons"
    from source
    group by "age", "income", "bmi", "seen", "zip", "race"
),
classes as (
    select sum("kanon_persons") as persons
    from sides
    group by "age", "income", "bmi", "seen", "zip", "race"
    having sum("kanon_published") > 0
)
select
    coalesce(min(persons), 0) as fewest
from classes
