-- ledger/withheld
create table `kanon_work`.`r1_ledger_withheld` as
with entries as (
    select distinct
        present.person,
        present.row_key
    from `kanon_work`.`r1_ledger_present` as present
    join `kanon_work`.`r1_ledger_outcomes` as outcomes on outcomes.cell = present.cell
        and outcomes.class = present.class
    where outcomes.how = 'withheld'
),
rows as (
    select
        source.`id`
        , source.`age`
    from `census`.`people` as source
    join entries on entries.person = source.`id`
)
select
    `id`,
    `age`,
    count(*) as `kanon_n`
from rows
group by
    `id`
    , `age`
