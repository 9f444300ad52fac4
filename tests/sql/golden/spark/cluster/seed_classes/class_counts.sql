-- cluster/seed_classes/class_counts
select
    (select count(*) from `kanon_work`.`r1_unassigned_rows`) as unassigned_rows,
    (select count(distinct g) from `kanon_work`.`r1_new_classes`) as groups,
    (select coalesce(max(g), 0) from `kanon_work`.`r1_new_classes`) as last_group
