-- ledger/releases
create table if not exists "kanon_ledger"."releases" (
    job varchar not null,
    version bigint not null,
    recoding varchar not null,
    salt_digest varchar not null,
    primary key (job, version)
)
