-- release/verify_persons
with source as (
    select
        cast(cast((cast(rows.`age` as bigint) - (((cast(rows.`age` as bigint) % 5) + 5) % 5)) as string) || '-' || cast(((cast(rows.`age` as bigint) - (((cast(rows.`age` as bigint) % 5) + 5) % 5)) + 4) as string) as string) as `age`,
        cast('[' || cast(cast((cast(rows.`income` as decimal(28, 2)) - (((cast(rows.`income` as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) as decimal(28, 2)) as string) || ', ' || cast(cast(((cast(rows.`income` as decimal(28, 2)) - (((cast(rows.`income` as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) + cast(0.5 as decimal(28, 2))) as decimal(28, 2)) as string) || ')' as string) as `income`,
        cast(case when isnan(rows.`bmi`) then 'NaN' else case when rows.`bmi` < 18.5 then '<18.5' when rows.`bmi` < 25 then '[18.5, 25)' when rows.`bmi` >= 25 then '>=25' end end as string) as `bmi`,
        cast(case when (rows.`seen` is not null) then lpad(cast(cast(extract(year from cast(rows.`seen` as timestamp_ntz)) as bigint) as string), 4, '0') || '-' || lpad(cast(cast(extract(month from cast(rows.`seen` as timestamp_ntz)) as bigint) as string), 2, '0') when rows.`seen` is not null then 'infinite' end as string) as `seen`,
        cast(case when length(cast(rows.`zip` as string)) > 3 then substr(cast(rows.`zip` as string), 1, 3) || '*' else cast(rows.`zip` as string) end as string) as `zip`,
        lookup_5.`label_1` as `race`,
        rows.`person` as `person`
    from `census`.`people` as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_5 (`value`, `label_1`) on cast(rows.`race` as string) = lookup_5.`value`

),
sides as (
    select
        `age`, `income`, `bmi`, `seen`, `zip`, `race`,
        1 as `kanon_published`,
        0 as `kanon_persons`
    from `release`.`people__v1`
    union all
    select
        `age`, `income`, `bmi`, `seen`, `zip`, `race`,
        0 as `kanon_published`,
        count(distinct `person`) as `kanon_persons`
    from source
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`
),
classes as (
    select sum(`kanon_persons`) as persons
    from sides
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`
    having sum(`kanon_published`) > 0
)
select
    coalesce(min(persons), 0) as fewest
from classes
