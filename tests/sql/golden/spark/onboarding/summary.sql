-- onboarding/summary
select
    count(*) as row_count
    , count(`age`) as c0_values
    , count(distinct `age`) as c0_distinct
    , cast(min(`age`) as string) as c0_least
    , cast(max(`age`) as string) as c0_greatest
    , null as c0_shortest
    , null as c0_longest
    , null as c0_digits
    , count(`na"me`) as c1_values
    , count(distinct `na"me`) as c1_distinct
    , null as c1_least
    , null as c1_greatest
    , min(length(`na"me`)) as c1_shortest
    , max(length(`na"me`)) as c1_longest
    , sum(case when translate(`na"me`, '0123456789', '') = '' then 1 else 0 end) as c1_digits
    , count(`seen`) as c2_values
    , count(distinct `seen`) as c2_distinct
    , cast(min(`seen`) as string) as c2_least
    , cast(max(`seen`) as string) as c2_greatest
    , null as c2_shortest
    , null as c2_longest
    , null as c2_digits
    , count(`scan`) as c3_values
    , count(distinct `scan`) as c3_distinct
    , null as c3_least
    , null as c3_greatest
    , min(length(`scan`)) as c3_shortest
    , max(length(`scan`)) as c3_longest
    , sum(case when translate(`scan`, '0123456789', '') = '' then 1 else 0 end) as c3_digits
from (
    select
        `age` as `age`,
        `na"me` as `na"me`,
        `seen` as `seen`,
        `scan` as `scan`
    from `census`.`people`
    limit 100
) as read_rows
