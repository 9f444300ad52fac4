-- cluster/blanking/blanked_labels
create table "kanon_work"."r1_made" as
select
    labels.g
    , case when blanked.mask & 1 <> 0 then '*' else labels.label_0 end as label_0
    , case when blanked.mask & 2 <> 0 then '*' else labels.label_1 end as label_1
    , case when blanked.mask & 4 <> 0 then '*' else labels.label_2 end as label_2
    , case when blanked.mask & 1 = 0 then labels.low_0 end as low_0
    , case when blanked.mask & 1 = 0 then labels.high_0 end as high_0
from "kanon_work"."r1_labels" as labels
join (
    select
        assigned.g,
        bit_or(blanks.mask) as mask
    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_blanks" as blanks on blanks.rid = assigned.rid
    group by assigned.g
) as blanked on blanked.g = labels.g
