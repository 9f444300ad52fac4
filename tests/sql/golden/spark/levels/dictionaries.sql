-- levels/dictionaries
create table `kanon_work`.`r1_dictionaries` as
with counted as (
    select
        case when grouping(v0) = 0 then 0 when grouping(v1) = 0 then 1 when grouping(v2) = 0 then 2 when grouping(v3) = 0 then 3 when grouping(v4) = 0 then 4 when grouping(v5) = 0 then 5 end as attribute,
        v0, v1, v2, v3, v4, v5,
        sum(n) as n
    from `kanon_work`.`r1_raw`
    group by grouping sets ((v0), (v1), (v2), (v3), (v4), (v5))
),
labelled as (
    select
        counted.*,
case when attribute = 5 then lookup_5.value end as looked_up
        , case
            when attribute = 0 then cast(counted.v0 as string)
            when attribute = 1 then cast(counted.v1 as string)
            when attribute = 2 then case when abs(counted.v2) >= 1e-4 and abs(counted.v2) < 1e15 then regexp_replace(cast(cast(counted.v2 as decimal(38, 22)) as string), '[.]?0+$', '') when counted.v2 = 0 then '0' else regexp_replace(regexp_replace(regexp_replace(regexp_replace(cast(counted.v2 as string), '[.]0E', 'E'), 'E([0-9])', 'e+$1'), 'E-', 'e-'), 'e([+-])([0-9])$', 'e$10$2') end
            when attribute = 3 then cast(cast(counted.v3 as timestamp_ntz) as string) || '+00'
            when attribute = 4 then cast(counted.v4 as string)
            when attribute = 5 then cast(counted.v5 as string)
        end as label_0
        , case
            when attribute = 0 then cast((cast(counted.v0 as bigint) - (((cast(counted.v0 as bigint) % 5) + 5) % 5)) as string) || '-' || cast(((cast(counted.v0 as bigint) - (((cast(counted.v0 as bigint) % 5) + 5) % 5)) + 4) as string)
            when attribute = 1 then '[' || cast(cast((cast(counted.v1 as decimal(28, 2)) - (((cast(counted.v1 as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) as decimal(28, 2)) as string) || ', ' || cast(cast(((cast(counted.v1 as decimal(28, 2)) - (((cast(counted.v1 as decimal(28, 2)) % cast(0.5 as decimal(28, 2))) + cast(0.5 as decimal(28, 2))) % cast(0.5 as decimal(28, 2)))) + cast(0.5 as decimal(28, 2))) as decimal(28, 2)) as string) || ')'
            when attribute = 2 then case when isnan(counted.v2) then 'NaN' when counted.v2 >= cast(500000000000000.0 as double) then 'very large' when counted.v2 <= -cast(500000000000000.0 as double) then 'very small' else '[' || cast(cast(case when counted.v2 < cast((cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as double) then (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + -1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) when counted.v2 >= cast((cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as double) then (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) else (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) end as decimal(28, 1)) as string) || ', ' || cast(cast((case when counted.v2 < cast((cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as double) then (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + -1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) when counted.v2 >= cast((cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) as double) then (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 1) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) else (cast((cast(floor(counted.v2 / cast(0.5 as double)) as bigint) + 0) as decimal(28, 0)) * cast(0.5 as decimal(28, 1))) end + cast(0.5 as decimal(28, 1))) as decimal(28, 1)) as string) || ')' end
            when attribute = 3 then case when (counted.v3 is not null) then lpad(cast(cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) as string), 4, '0') || '-' || lpad(cast(cast(extract(month from cast(counted.v3 as timestamp_ntz)) as bigint) as string), 2, '0') || '-' || lpad(cast(cast(extract(day from cast(counted.v3 as timestamp_ntz)) as bigint) as string), 2, '0') when counted.v3 is not null then 'infinite' end
            when attribute = 4 then case when length(cast(counted.v4 as string)) > 3 then substr(cast(counted.v4 as string), 1, 3) || '*' else cast(counted.v4 as string) end
            when attribute = 5 then lookup_5.`label_1`
        end as label_1
        , case
            when attribute = 0 then case when counted.v0 < 18 then '<18' when counted.v0 < 65 then '18-64' when counted.v0 >= 65 then '>=65' end
            when attribute = 2 then case when isnan(counted.v2) then 'NaN' else case when counted.v2 < 18.5 then '<18.5' when counted.v2 < 25 then '[18.5, 25)' when counted.v2 >= 25 then '>=25' end end
            when attribute = 3 then case when (counted.v3 is not null) then lpad(cast(cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) as string), 4, '0') || '-' || lpad(cast(cast(extract(month from cast(counted.v3 as timestamp_ntz)) as bigint) as string), 2, '0') when counted.v3 is not null then 'infinite' end
        end as label_2
        , case
            when attribute = 3 then case when (counted.v3 is not null) then cast((cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) - (((cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) % 10) + 10) % 10)) as string) || '-' || cast(((cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) - (((cast(extract(year from cast(counted.v3 as timestamp_ntz)) as bigint) % 10) + 10) % 10)) + 9) as string) when counted.v3 is not null then 'infinite' end
        end as label_3
    from counted
    left join `kanon_work`.`r1_lookup_5` as lookup_5 on attribute = 5 and cast(counted.v5 as string) = lookup_5.`value`
)
select
    attribute,
    cast(row_number() over (partition by attribute order by v0 nulls first, v1 nulls first, v2 nulls first, v3 nulls first, v4 nulls first, v5 nulls first) - 1 as int) as code_0
    , cast(dense_rank() over (partition by attribute order by label_1 nulls first) - 1 as int) as code_1
    , cast(dense_rank() over (partition by attribute order by label_2 nulls first) - 1 as int) as code_2
    , cast(dense_rank() over (partition by attribute order by label_3 nulls first) - 1 as int) as code_3
    , cast(n as bigint) as n
    , v0, v1, v2, v3, v4, v5
    , looked_up
    , label_0
    , label_1
    , label_2
    , label_3
from labelled
