-- ledger/people
create table `kanon_ledger`.`people_0123456789ab` (
    person_key bigint not null,
    row_key bigint not null,
    cell bigint not null,
    waiting bigint
)
