-- release/stage_counted
create table "release"."people__v1" as
with counted as materialized (
    select
        cast(rows.age__0 as varchar) as "age",
        rows.ill as "ill",
        count(*) as "kanon_n"
    from "kanon_work"."r1_coded" as rows
    left join "kanon_work"."r1_violating" as violating on 1 = 1
        and violating.key0 = cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)
    where violating.key0 is null
    group by 1, 2
),
pieces as materialized (
    select
        "age", "ill",
        (case when "kanon_n" - "kanon_start" < 1024 then "kanon_n" - "kanon_start" else 1024 end) as "kanon_n"
    from (
        select
            *,
            unnest(range(0, "kanon_n", 1024)) as "kanon_start"
        from counted
    ) as started
    order by
        hash("age", "ill"),
        "kanon_start"
)
select "age", "ill"
from (
    select
        *,
        unnest(generate_series(1, "kanon_n")) as "kanon_place"
    from pieces
) as repeated
