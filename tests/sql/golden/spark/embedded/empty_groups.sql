-- embedded/empty_groups
create table `kanon_work`.`r1_assignment` (
    rid bigint,
    g bigint
)
