-- ledger/memberships
create table if not exists "kanon_ledger"."memberships" (
    job varchar not null,
    version bigint not null,
    person_key varchar not null,
    class_key varchar not null
)
