-- emit/recoding
-- The release of release.people
with source as (
    select
        case when isnan("age") then cast('NaN' as double) else "age" + cast(0 as double) end as "age",
        "race" as "race"
    from census.people
),
labelled as (
    select
        rows."age" as "age",
        lookup_1.label_1 as "race",
        rows."illness" as "illness",
        rows."id" as "kanon_person"
    from "source" as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_1 ("value", "label_1") on cast(rows."race" as varchar) = lookup_1.value

),
numbered as (
    select
        labelled.*,
        dense_rank() over (order by "age" nulls first, "race" nulls first) as kanon_class
        , dense_rank() over (order by "illness" nulls first) - 1 as kanon_s0
    from labelled
),
counted as (
    select
        kanon_class,
        kanon_s0 as s0,
        kanon_person as person,
        count(*) as n
    from numbered
    group by
        kanon_class, kanon_s0, kanon_person
),
sensitive_0 as (
    select
        kanon_s0 as code,
        "illness" as value,
        count(*) as n
    from numbered
    group by kanon_s0, "illness"
),
hierarchy_0 as (
    select
        whole.code
        , dense_rank() over (order by lookup.label_1 nulls first) as g1
        , cast(sum(whole.n) over (partition by lookup.label_1) as double) / (select count(*) from labelled) as gp1
    from sensitive_0 as whole
    left join (
        values
            ('flu', 'short')
    ) as lookup (value, label_1) on cast(whole.value as varchar) = lookup.value
),
people as (
    select *
    from census.everybody
),
population as (
    select
        classes.kanon_class,
        count(*) as n
    from (
    select
        rows."age" as "age",
        lookup_1.label_1 as "race"
    from "people" as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_1 ("value", "label_1") on cast(rows."race" as varchar) = lookup_1.value

    ) as people
    join (
        select distinct
            kanon_class,
            "age", "race"
        from numbered
    ) as classes on 1 = 1
        and people."age" is not distinct from classes."age"
        and people."race" is not distinct from classes."race"
    group by classes.kanon_class
),
violating as (
    select key0
    from (
    select
        sized.key0,

        sized.c as c,
        sized.n as n
        , values_0.distinct_0
        , coalesce(population.n, 0) as population
    from (
    select
        kanon_class as key0,

        count(distinct person) as c,
        sum(n) as n
    from "counted"
        group by kanon_class


    ) as sized
    join (
    select
        key0,

        sum(m) as n
        , count(*) as distinct_0
    from (
        select
        spread.key0,

            spread.s as s,
            spread.m as m
        from (
        select
        kanon_class as key0,

            s0 as s,
            cast(sum(n) as double) as m
        from "counted"
        group by kanon_class, s0

        ) as spread

    ) as values_of_class
    group by key0

    ) as values_0 on 1 = 1
        and values_0.key0 = sized.key0

    left join (
        select
        kanon_class as key0,

            sum(n) as n
        from "population"
        group by kanon_class


    ) as population on 1 = 1
        and population.key0 = sized.key0


    ) as classes
    where c < 5 or distinct_0 < 2 or population < 9
)
select
    "age",
    "race",
    "illness"
from numbered
where kanon_class not in (select key0 from violating)
