-- release/stage_groups
create table `kanon_work`.`r1_staged_persons` as
select
    labels.label_0 as `a ge`,
    assigned.rid as `kanon_row`
from (
    select
        rows.*,
        row_number() over (
            partition by rows.`kanon_q0_0`
            order by rows.illness, rows.patient
        ) as `kanon_place`
    from `kanon_work`.`r1_coded` as rows
) as rows
join `kanon_work`.`r1_units` as units on units.place = rows.`kanon_place`
    and units.q0_0 = rows.`kanon_q0_0`
join `kanon_work`.`r1_assignment` as assigned on assigned.rid = units.rid
join `kanon_work`.`r1_labels` as labels on labels.g = assigned.g
