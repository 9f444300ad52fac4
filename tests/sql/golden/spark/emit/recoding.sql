-- emit/recoding
-- The release of release.people
with source as (
    select *
    from census.people
),
labelled as (
    select
        rows.`age` as `age`,
        lookup_1.label_1 as `race`,
        rows.`illness` as `illness`
    from `source` as rows
    left join (
        values
            ('a', 'x'),
            ('b', 'x')
    ) as lookup_1 (`value`, `label_1`) on cast(rows.`race` as string) = lookup_1.value

),
sized as (
    select
        labelled.*,
        count(*) over (partition by `age`, `race`) as kanon_class_size
    from labelled
)
select
    `age`,
    `race`,
    `illness`
from sized
where kanon_class_size >= 5
