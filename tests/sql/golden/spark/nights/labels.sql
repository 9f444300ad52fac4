-- nights/labels
create table `kanon_work`.`r1_night_labels` as
select
    labels.g,
    labels.loss,
    labels.founders
    , labels.label_0
    , labels.label_1
    , labels.low_0
    , labels.high_0
    , labels.from_0
    , labels.to_0
    , labels.null_0
    , labels.level_1
from `kanon_ledger`.`groups_1_2_labels_v7` as labels
join `kanon_work`.`r1_night_live` as live on live.g = labels.g
union all
select
    accepted.g,
    accepted.loss,
    counted.founders
    , labels.label_0
    , labels.label_1
    , labels.low_0
    , labels.high_0
    , labels.from_0
    , labels.to_0
    , labels.null_0
    , labels.level_1
from `kanon_work`.`r1_labels` as labels
join (
    select
        g,
        min(found) as found,
        max(loss) as loss
    from `kanon_work`.`r1_night_accepted`
    group by g
) as accepted on accepted.found = labels.g
join (
    select
        founded.g,
        cast(sum(case when placed.fate = 'stayed' then placed.founder else placed.named end) as bigint) as founders
    from `kanon_work`.`r1_night_founded` as founded
    join `kanon_work`.`r1_night_placed` as placed on placed.rid = founded.rid
    group by founded.g
) as counted on counted.g = accepted.g
