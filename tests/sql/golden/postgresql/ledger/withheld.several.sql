-- ledger/withheld
create unlogged table "kanon_work"."r1_ledger_withheld" as
with entries as (
    select distinct
        present.person,
        present.row_key
    from "kanon_work"."r1_ledger_present" as present
    join "kanon_work"."r1_ledger_outcomes" as outcomes on outcomes.cell = present.cell
        and outcomes.class = present.class
    left join "kanon_work"."r1_ledger_fellows" as fellows on fellows.person_key = present.person_key
        and fellows.batch = outcomes.batch
    where outcomes.how = 'withheld'
        or fellows.person_key is not null
),
rows as (
    select
        source."id"
        , source."age"
    from "census"."people" as source
    join entries on entries.person = source."id"
        and entries.row_key = cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || coalesce(cast(length(cast(source."id" as text)) as text) || ':' || cast(source."id" as text), '-') || coalesce(cast(length(cast(source."age" as text)) as text) || ':' || cast(source."age" as text), '-'), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint)
    union all
    select
        source."id"
        , source."age"
    from "census"."people" as source
    join entries on entries.person is null
        and entries.row_key = cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || coalesce(cast(length(cast(source."age" as text)) as text) || ':' || cast(source."age" as text), '-'), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint)
    where source."id" is null
)
select
    "id",
    "age",
    count(*) as "kanon_n"
from rows
group by
    "id"
    , "age"
