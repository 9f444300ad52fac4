-- cluster/cutting/empty_assignment
create table `kanon_work`.`r1_made` (
    rid bigint,
    g bigint
)
