-- ledger/present
create unlogged table "kanon_work"."r1_ledger_present" as
select
    found.person,
    coalesce(people.person_key, found.person_key) as person_key,
    coalesce(people.row_key, found.row_key) as row_key,
    found.class,
    found.s0,
    coalesce(found.n, 0) as n,
    coalesce(people.cell, 0) as cell,
    case when people.person_key is null then 0 else 1 end as known
from (
    select
        named.person,
        cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || cast(named.person as text), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint) as person_key,
        0 as row_key,
        named.class,
        named.s0,
        named.n
    from (
        select
            rows."id" as person,
            classes.class,
            rows."diagnosis" as s0,
            1 as n
        from "kanon_work"."r1_coded" as rows
    join "kanon_work"."r1_ledger_classes" as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows."id" is not null
    ) as named
    union all
    select
        null as person,
        null as person_key,
        null as row_key,
        null as class,
        null as s0,
        null as n
    where 1 = 0
) as found
full join "kanon_ledger"."people_0123456789ab" as people on people.person_key = found.person_key
    and people.row_key = found.row_key
