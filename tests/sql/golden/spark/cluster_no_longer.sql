-- cluster/no_longer
delete from `kanon_work`.`r1_boxes`
where g in (
    select g
    from `kanon_work`.`r1_touched`
)
