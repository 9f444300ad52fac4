-- ledger/cells
create table "kanon_ledger"."cells_0123456789ab" (
    cell bigint not null,
    job text not null,
    trail bigint not null,
    class_key text not null,
    recoding text not null,
    since bigint not null,
    gap bigint not null,
    away bigint not null
)
