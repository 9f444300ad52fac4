-- checks/unsplit
select
    coalesce(sum(n), 0) as rows,
    coalesce(sum(case when n >= 10 and generalized = 1 then n else 0 end), 0) as narrowed_rows,
    coalesce(sum(case when n >= 10 and generalized = 1 then 1 else 0 end), 0) as narrowed_classes
from (
    select
        "kanon_n" as n,
        case when 1 = 0
            or cast("race" as text) not in (select label_0 from "kanon_work"."r1_dictionary_5" where label_0 is not null)
        then 1 else 0 end as generalized
    from (
        select
            "race",
            count(*) as "kanon_n"
        from "release"."people__v1"
        group by "race"
    ) as classes
) as counted
