-- levels/lookup
create table `kanon_work`.`r1_lookup_5` (
    `value` string not null
    , `label_1` string
)
