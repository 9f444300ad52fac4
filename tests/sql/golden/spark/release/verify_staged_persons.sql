-- release/verify_staged_persons
with classes as (
    select count(distinct `kanon_person`) as persons
    from `kanon_work`.`r1_behind`
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`
),
published as (
    select sum(`kanon_side`) as more
    from (
        select
            `age`, `income`, `bmi`, `seen`, `zip`, `race`, `ill`,
            1 as `kanon_side`
        from `release`.`people__v1`
        union all
        select
            `age`, `income`, `bmi`, `seen`, `zip`, `race`, `ill`,
            -1 as `kanon_side`
        from `kanon_work`.`r1_behind`
    ) as both_sides
    group by `age`, `income`, `bmi`, `seen`, `zip`, `race`, `ill`
),
accounted as (
    select sum(`kanon_side`) as more
    from (
        select
            `kanon_person`,
            `kanon_raw_0`,
            1 as `kanon_side`
        from `kanon_work`.`r1_behind`
        union all
        select
            `per son` as `kanon_person`,
            `age` as `kanon_raw_0`,
            -1 as `kanon_side`
        from `census`.`people`
    ) as both_sides
    group by
        `kanon_person`,
        `kanon_raw_0`
)
select
    coalesce((select min(persons) from classes), 0) as fewest,
    coalesce((select sum(abs(more)) from published), 0) as differing,
    coalesce((select sum(case when more > 0 then more else 0 end) from accounted), 0) as unaccounted
