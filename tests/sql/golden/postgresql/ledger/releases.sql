-- ledger/releases
create table if not exists "kanon_ledger"."releases" (
    job text not null,
    version bigint not null,
    recoding text not null,
    salt_digest text not null,
    primary key (job, version)
)
