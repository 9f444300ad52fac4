-- ledger/cells
create table `kanon_ledger`.`cells_0123456789ab` (
    cell bigint not null,
    job string not null,
    trail bigint not null,
    class_key string not null,
    recoding string not null,
    since bigint not null,
    gap bigint not null,
    away bigint not null
)
