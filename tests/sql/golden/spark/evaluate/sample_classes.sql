-- evaluate/sample_classes
with classes as (
    select
        cast(`age` as string) as label_0,
        cast(`to wn` as string) as label_1,
        count(*) as n
    from `release`.`people`
    group by
        `age`,
        `to wn`
    having count(*) >= 5
),
placed as (
    select
        classes.*,
        row_number() over (order by n, label_0 nulls first, label_1 nulls first) as place,
        count(*) over () as whole
    from classes
)
select
    label_0,
    label_1,
    n
from placed
where place % cast(floor((whole + 11) / 12.0) as bigint) = 0
order by place
