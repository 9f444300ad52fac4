-- evaluate/shares
create table `kanon_work`.`r1_shares_0` as
with labels as (
    select
        cover.label_key as label_key,
        min(cast(value as double)) as low,
        max(cast(value as double)) as high
    from `kanon_work`.`r1_cover_0` as cover
    join `kanon_work`.`r1_dictionary_0` as members on members.q0_0 = cover.code
    group by cover.label_key
),
ranges as (
    select
        query,
        min(x) as low,
        max(x) as high
    from `kanon_work`.`r1_picked_0`
    group by query
)
select
    ranges.query as query,
    labels.label_key as label_key,
    (least(labels.high, ranges.high) - greatest(labels.low, ranges.low) + cast('1.0' as double))
        / (labels.high - labels.low + cast('1.0' as double)) as share
from labels
join ranges on labels.low <= ranges.high and labels.high >= ranges.low
