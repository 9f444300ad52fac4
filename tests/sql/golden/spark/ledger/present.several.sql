-- ledger/present
create table `kanon_work`.`r1_ledger_present` as
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
        cast(conv(substr(sha2('sa\'lt' || cast(named.person as string), 256), 1, 15), 16, 10) as bigint) as person_key,
        cast(conv(substr(sha2('sa\'lt' || coalesce(cast(length(cast(named.person as string)) as string) || ':' || cast(named.person as string), '-') || coalesce(cast(length(cast(named.v0 as string)) as string) || ':' || cast(named.v0 as string), '-') || coalesce(cast(length(cast(named.v1 as string)) as string) || ':' || cast(named.v1 as string), '-'), 256), 1, 15), 16, 10) as bigint) as row_key,
        named.class,
        named.n
    from (
        select
            rows.`id` as person,
            rows.`age` as v0,
            rows.`to"wn` as v1,
            classes.class,
            count(*) as n
        from `kanon_work`.`r1_coded` as rows
    join `kanon_work`.`r1_ledger_classes` as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows.`id` is not null
        group by
            rows.`id`,
            rows.`age`,
            rows.`to"wn`,
            classes.class
    ) as named
    union all
    select
        numbered.person,
        cast(conv(substr(sha2('sa\'lt' || coalesce(cast(length(cast(numbered.v0 as string)) as string) || ':' || cast(numbered.v0 as string), '-') || coalesce(cast(length(cast(numbered.v1 as string)) as string) || ':' || cast(numbered.v1 as string), '-') || case when numbered.place > 1 then ' ' || cast(numbered.place as string) else '' end, 256), 1, 15), 16, 10) as bigint) as person_key,
        cast(conv(substr(sha2('sa\'lt' || coalesce(cast(length(cast(numbered.v0 as string)) as string) || ':' || cast(numbered.v0 as string), '-') || coalesce(cast(length(cast(numbered.v1 as string)) as string) || ':' || cast(numbered.v1 as string), '-'), 256), 1, 15), 16, 10) as bigint) as row_key,
        numbered.class,
        1 as n
    from (
        select
            rows.`id` as person,
            rows.`age` as v0,
            rows.`to"wn` as v1,
            classes.class,
            row_number() over (
                partition by rows.`age`, rows.`to"wn`
                order by 1
            ) as place
        from `kanon_work`.`r1_coded` as rows
    join `kanon_work`.`r1_ledger_classes` as classes on 1 = 1
        and classes.key0 = rows.kanon_q0_1

        where rows.`id` is null
    ) as numbered
) as found
full join `kanon_ledger`.`people_0123456789ab` as people on people.person_key = found.person_key
    and people.row_key = found.row_key
left join `kanon_ledger`.`people_0123456789ab` as whole on whole.person_key = found.person_key
    and whole.row_key = 0
