-- ledger/decided
create table `kanon_work`.`r1_ledger_decided` as
with supported as (
    select batches.*
    from `kanon_work`.`r1_ledger_batches` as batches
    where batches.persons >= 5
),
small as (
    select batches.*
    from `kanon_work`.`r1_ledger_batches` as batches
    left join supported on supported.batch = batches.batch
    where supported.batch is null
),
pairs as (
    select
        small.batch,
        supported.batch as supporter,
        supported.persons,
        sum(case when needs.cell is not null and have.cell is null then 1 else 0 end) as lacking,
        sum(case when needs.cell is not null and have.cell is null and needs.job <> 'release.people' then 1 else 0 end) as lacking_elsewhere
    from small
    join supported on supported.class = small.class
    left join `kanon_ledger`.`cells_0123456789ab` as needs on needs.cell = small.cell
    left join `kanon_ledger`.`cells_0123456789ab` as have on have.cell = supported.cell
        and have.job = needs.job
        and have.trail = needs.trail
        and have.since <= needs.since
        and have.gap < needs.since
        and (have.away = 0 or (have.job <> 'release.people' and needs.away > 0 and have.away >= needs.away))
    group by
        small.batch,
        supported.batch,
        supported.persons
),
ranked as (
    select
        batch,
        supporter,
        lacking,
        row_number() over (
            partition by batch
            order by case when lacking = 0 then 0 else 1 end, persons desc, supporter
        ) as place
    from pairs
    where lacking_elsewhere = 0
)
select
    batches.*,
    ranked.supporter,
    case
        when supported.batch is not null then case when batches.stayed = 1 then 'stays' else 'joins' end
        else 'accepted'
    end as how
from `kanon_work`.`r1_ledger_batches` as batches
left join supported on supported.batch = batches.batch
left join ranked on ranked.batch = batches.batch
    and ranked.place = 1
