-- release/guard_totals
select
    place,
    count(*) as labels,
    sum(missing) as rows
from (
    select
        case
            when grouping(`age`) = 0 then 0
            when grouping(`race`) = 0 then 1
        end as place,
        sum(`kanon_n`) as missing
    from (
        select
            `age`, `race`,
            count(*) as `kanon_n`
        from (
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

        ) as source
        group by `age`, `race`
        union all
        select
            `age`, `race`,
            -count(*) as `kanon_n`
        from `release`.`people__v1`
        group by `age`, `race`
    ) as sides
    group by grouping sets ((`age`), (`race`))
    having sum(`kanon_n`) > 0 and sum(`kanon_n`) < 5
) as labels
group by place
