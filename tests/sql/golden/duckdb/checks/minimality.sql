-- checks/minimality
with classes as (
    select
        "age", "income", "bmi", "seen", "zip", "race",
        count(*) as "kanon_n"
    from "release"."people__v1"
    group by "age", "income", "bmi", "seen", "zip", "race"
),
possible as (
    select
        classes."kanon_n" as n
        , coalesce(h5.members, 0) as members5
        , case
            when coalesce(h5.labels, 1) < 2 then 0
            when classes."kanon_n" <= h5.labels * (5 - 1) then classes."kanon_n"
            else (h5.labels - 1) * (5 - 1)
        end as v5
    from classes
    left join (
        select
            label,
            count(*) as members,
            count(distinct code) as labels
        from (
            select
                cast(label_1 as varchar) as label,
                q5_0 as code
            from "kanon_work"."r1_dictionary_5"
        ) as labelled
        group by label
    ) as h5 on h5.label = cast(classes."race" as varchar)
),
narrowed as (
    select
        n,
        case when 1 = 0
            or (v5 > 0 and sum(v5) over () - v5 <= 3)
        then 1 else 0 end as must,
        case when 1 = 0
            or members5 = 1
        then 1 else 0 end as single
    from possible
)
select
    coalesce(sum(n), 0) as rows,
    coalesce(sum(case when must = 1 then n else 0 end), 0) as narrowed_rows,
    coalesce(sum(must), 0) as narrowed_classes,
    coalesce(sum(case when single = 1 then n else 0 end), 0) as single_rows
from narrowed
