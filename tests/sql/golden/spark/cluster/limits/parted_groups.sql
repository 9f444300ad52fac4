-- cluster/limits/parted_groups
create table `kanon_work`.`r1_made` as
with parts as (
    select
        assigned.rid,
        assigned.g,
        rows.t1_2,
        rows.a2,
        boxes.loss
    from `kanon_work`.`r1_assignment` as assigned
    join `kanon_work`.`r1_rows` as rows on rows.rid = assigned.rid
    left join `kanon_work`.`r1_boxes` as boxes on boxes.g = assigned.g
)
select
    rid,
    case
        when loss >= 26000000 then 99 + dense_rank() over (order by g, t1_2, a2)
        else g
    end as g
from parts
