-- evaluate/released_answers
with middles as (
    select
        cover.label_key as label_key,
        (min(cast(value as double)) + max(cast(value as double))) / 2 as middle
    from `kanon_work`.`r1_cover_0` as cover
    join `kanon_work`.`r1_dictionary_0` as members on members.q0_0 = cover.code
    group by cover.label_key
),
classes as (
    select
        coalesce('=' || published.label_0, '') as key_0,
        coalesce('=' || published.label_1, '') as key_1,
        sum(published.n) as n,
        sum(published.n * coalesce(middles.middle, 0)) as total
    from `kanon_work`.`r1_workload_published` as published
    left join middles on middles.label_key = coalesce('=' || published.label_0, '')
    group by
        coalesce('=' || published.label_0, ''),
        coalesce('=' || published.label_1, '')
)
select
    shares_0.query as query,
    sum(classes.n * shares_0.share * shares_1.share) as answer,
    sum(classes.total * shares_0.share * shares_1.share) as total
from classes
join `kanon_work`.`r1_shares_0` as shares_0 on shares_0.label_key = classes.key_0
join `kanon_work`.`r1_shares_1` as shares_1 on shares_1.label_key = classes.key_1
    and shares_1.query = shares_0.query
group by shares_0.query
