-- ledger/present
create table "kanon_work"."r1_ledger_present" as
select
    found.person,
    found.person_key,
    found.row_key,
    found.class,
    found.n,
    cast(0 as bigint) as cell,
    0 as known
from (
    select
        named.person,
        cast('0x' || left(sha256('sa''lt' || cast(named.person as varchar)), 15) as bigint) as person_key,
        0 as row_key,
        named.class,
        named.n
    from (
        select
            rows."id" as person,
            classes.class,
            1 as n
        from "kanon_work"."r1_coded" as rows
    join "kanon_work"."r1_ledger_classes" as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows."id" is not null
    ) as named
) as found
