-- ledger/present
create unlogged table "kanon_work"."r1_ledger_present" as
select
    found.person,
    coalesce(people.person_key, found.person_key) as person_key,
    coalesce(people.row_key, found.row_key) as row_key,
    found.class,
    coalesce(found.n, 0) as n,
    coalesce(people.cell, whole.cell, 0) as cell,
    case when people.person_key is null then 0 else 1 end as known
from (
    select
        named.person,
        cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || cast(named.person as text), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint) as person_key,
        cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || coalesce(cast(length(cast(named.person as text)) as text) || ':' || cast(named.person as text), '-') || coalesce(cast(length(cast(named.v0 as text)) as text) || ':' || cast(named.v0 as text), '-') || coalesce(cast(length(cast(named.v1 as text)) as text) || ':' || cast(named.v1 as text), '-'), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint) as row_key,
        named.class,
        named.n
    from (
        select
            rows."id" as person,
            rows."age" as v0,
            rows."to""wn" as v1,
            classes.class,
            count(*) as n
        from "kanon_work"."r1_coded" as rows
    join "kanon_work"."r1_ledger_classes" as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows."id" is not null
        group by
            rows."id",
            rows."age",
            rows."to""wn",
            classes.class
    ) as named
    union all
    select
        numbered.person,
        cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || coalesce(cast(length(cast(numbered.v0 as text)) as text) || ':' || cast(numbered.v0 as text), '-') || coalesce(cast(length(cast(numbered.v1 as text)) as text) || ':' || cast(numbered.v1 as text), '-') || case when numbered.place > 1 then ' ' || cast(numbered.place as text) else '' end, 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint) as person_key,
        cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || coalesce(cast(length(cast(numbered.v0 as text)) as text) || ':' || cast(numbered.v0 as text), '-') || coalesce(cast(length(cast(numbered.v1 as text)) as text) || ':' || cast(numbered.v1 as text), '-'), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint) as row_key,
        numbered.class,
        1 as n
    from (
        select
            rows."id" as person,
            rows."age" as v0,
            rows."to""wn" as v1,
            classes.class,
            row_number() over (
                partition by rows."age", rows."to""wn"
                order by 1
            ) as place
        from "kanon_work"."r1_coded" as rows
    join "kanon_work"."r1_ledger_classes" as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows."id" is null
    ) as numbered
) as found
full join "kanon_ledger"."people_0123456789ab" as people on people.person_key = found.person_key
    and people.row_key = found.row_key
left join "kanon_ledger"."people_0123456789ab" as whole on whole.person_key = found.person_key
    and whole.row_key = 0
