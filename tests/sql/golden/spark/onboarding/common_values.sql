-- onboarding/common_values
select
    column_index,
    value
from (
    select
        0 as column_index,
        cast(`sex` as string) as value,
        count(*) as n
    from (
        select
            `sex` as `sex`,
            `person_id` as `kanon_person`
        from `census`.`people`
        limit 100
    ) as read_rows
    where `sex` is not null
    group by `sex`
    having count(distinct `kanon_person`) >= 5
    union all
    select
        1 as column_index,
        cast(`race` as string) as value,
        count(*) as n
    from (
        select
            cast(`race` as string) as `race`,
            `person_id` as `kanon_person`
        from `census`.`people`
        limit 100
    ) as read_rows
    where `race` is not null
    group by `race`
    having count(distinct `kanon_person`) >= 5
) as common
order by
    column_index,
    n desc,
    value nulls first
