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
