-- evaluate/shares
create table `kanon_work`.`r1_shares_1` as
with sizes as (
    select
        label_key,
        count(*) as size
    from `kanon_work`.`r1_cover_1`
    group by label_key
)
select
    picked.query as query,
    cover.label_key as label_key,
    cast(count(*) as double) / min(sizes.size) as share
from `kanon_work`.`r1_cover_1` as cover
join `kanon_work`.`r1_picked_1` as picked on picked.code = cover.code
join sizes on sizes.label_key = cover.label_key
group by
    picked.query,
    cover.label_key
