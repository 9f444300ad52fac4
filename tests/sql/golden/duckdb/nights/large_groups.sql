-- nights/large_groups
create table "kanon_work"."r1_night_large" as
select
    assigned.rid,
    assigned.g,
    case when placed.fate = 'stayed' then placed.founder else 0 end as founder,
    placed.person_key,
    labels.loss
from "kanon_work"."r1_night_assigned" as assigned
join "kanon_work"."r1_night_placed" as placed on placed.rid = assigned.rid
join "kanon_work"."r1_night_live" as live on live.g = assigned.g
join "kanon_ledger"."groups_1_2_labels_v7" as labels on labels.g = assigned.g
where live.founders >= 20
    and live.rows_left = labels.founders
    and labels.loss > 0
