-- ledger/nights
create table "kanon_ledger"."nights_0123456789ab" (
    sequence bigint not null primary key,
    job varchar not null,
    version bigint not null,
    recoding varchar not null,
    salt_digest varchar not null,
    entries bigint not null,
    checksum varchar not null,
    several integer not null,
    how varchar not null
)
