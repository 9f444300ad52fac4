-- nights/rows
create table `kanon_work`.`r1_night_rows` as
select
    behind.*
    , coded.a1
    , coded.m0
from (
    select distinct
        units.rid,
        substr(sha2('sa\'lt' || cast(numbered."id" as string), 256), 1, 32) as person_key,
        '' as row_key,
        case when numbered.`id` is null then 0 else 1 end as named
        , numbered.`age` as v_0
        , word_3.word as w_3
    from (
        select
            rows.*,
            row_number() over (
                partition by rows.`kanon_q0_0`
                order by rows.id
            ) as `kanon_place`,
            row_number() over (
                partition by rows.`kanon_q0_0`, case when rows.`id` is null then 1 else 0 end
                order by rows.id
            ) as `kanon_ordinal`
        from `kanon_work`.`r1_coded` as rows
    ) as numbered
    join `kanon_work`.`r1_units` as units on units.place = numbered.`kanon_place`
        and units.q0_0 = numbered.`kanon_q0_0`
    join (
        select
            words.q3_0 as code,
            case when words.label_0 is null then 'n' else 'v' || words.label_0 end as word
        from `kanon_work`.`r1_dictionary_3` as words
    ) as word_3 on word_3.code = units.q3_0
) as behind
join `kanon_work`.`r1_rows` as coded on coded.rid = behind.rid
