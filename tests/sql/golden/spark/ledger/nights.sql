-- ledger/nights
create table `kanon_ledger`.`nights_0123456789ab` (
    sequence bigint not null,
    job string not null,
    version bigint not null,
    recoding string not null,
    salt_digest string not null,
    entries bigint not null,
    checksum string not null,
    several int not null,
    how string not null
)
