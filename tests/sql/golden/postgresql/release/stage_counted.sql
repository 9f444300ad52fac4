-- release/stage_counted
create table "release"."people__v1" as
select "age", "ill"
from (
    select
        *,
        generate_series(1, "kanon_n") as "kanon_place"
    from (
        select *
        from (
            select
                cast(rows.age__0 as text) as "age",
                rows.ill as "ill",
                count(*) as "kanon_n"
            from "kanon_work"."r1_coded" as rows
            left join "kanon_work"."r1_violating" as violating on 1 = 1
                and violating.key0 = cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)
            where violating.key0 is null
            group by 1, 2
        ) as counted
        order by hashtextextended(coalesce(cast("ill" as text), ''), hashtextextended(coalesce(cast("age" as text), ''), 0 # cast("age" is null as integer)) # cast("ill" is null as integer))
    ) as sorted
) as repeated
