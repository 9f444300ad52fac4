-- ledger/nights
create table "kanon_ledger"."nights_0123456789ab" (
    sequence bigint not null primary key,
    job text not null,
    version bigint not null,
    recoding text not null,
    salt_digest text not null,
    entries bigint not null,
    checksum text not null,
    several integer not null,
    how text not null
)
