-- ledger/memberships
create table if not exists "kanon_ledger"."memberships" (
    job text not null,
    version bigint not null,
    person_key text not null,
    class_key text not null
)
