-- release/guard_totals
select
    place,
    count(*) as labels,
    sum(missing) as rows
from (
    select
        case
            when grouping("age") = 0 then 0
            when grouping("race") = 0 then 1
        end as place,
        sum("kanon_n") as missing
    from (
        select
            "age", "race",
            count(*) as "kanon_n"
        from (
    select
        cast(cast((cast(rows."age" as bigint) - (((cast(rows."age" as bigint) % 5) + 5) % 5)) as varchar) || '-' || cast(((cast(rows."age" as bigint) - (((cast(rows."age" as bigint) % 5) + 5) % 5)) + 4) as varchar) as varchar) as "age",
        cast('[' || cast(cast((cast(rows."income" as decimal(28, 2)) - (((cast(rows."income" as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) as decimal(28, 2)) as varchar) || ', ' || cast(cast(((cast(rows."income" as decimal(28, 2)) - (((cast(rows."income" as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) + cast(0.5 as decimal(28, 2))) as decimal(28, 2)) as varchar) || ')' as varchar) as "income",
        cast(case when isnan(rows."bmi") then 'NaN' else case when rows."bmi" < 18.5 then '<18.5' when rows."bmi" < 25 then '[18.5, 25)' when rows."bmi" >= 25 then '>=25' end end as varchar) as "bmi",
        cast(case when isfinite(rows."seen") then lpad(cast(cast(extract(year from (rows."seen" at time zone 'UTC')) as bigint) as varchar), 4, '0') || '-' || lpad(cast(cast(extract(month from (rows."seen" at time zone 'UTC')) as bigint) as varchar), 2, '0') when rows."seen" is not null then 'infinite' end as varchar) as "seen",
        cast(case when length(cast(rows."zip" as varchar)) > 3 then substr(cast(rows."zip" as varchar), 1, 3) || '*' else cast(rows."zip" as varchar) end as varchar) as "zip",
        lookup_5."label_1" as "race",
        rows."person" as "person"
    from "census"."people" as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_5 ("value", "label_1") on cast(rows."race" as varchar) = lookup_5."value"

        ) as source
        group by "age", "race"
        union all
        select
            "age", "race",
            -count(*) as "kanon_n"
        from "release"."people__v1"
        group by "age", "race"
    ) as sides
    group by grouping sets (("age"), ("race"))
    having sum("kanon_n") > 0 and sum("kanon_n") < 5
) as labels
group by place
