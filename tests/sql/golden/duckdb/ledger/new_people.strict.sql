-- ledger/new_people
create table "kanon_work"."r1_ledger_people" as
select distinct
    present.person_key,
    present.row_key,
    outcomes.new_cell as cell,
    cast(null as bigint) as waiting
from "kanon_work"."r1_ledger_present" as present
join "kanon_work"."r1_ledger_outcomes" as outcomes on outcomes.cell = present.cell
    and outcomes.class = present.class
left join "kanon_work"."r1_ledger_fellows" as fellows on fellows.person_key = present.person_key
    and fellows.batch = outcomes.batch
where outcomes.how <> 'withheld'
    and outcomes.new_cell <> present.cell
    and fellows.person_key is null
union all
select distinct
    present.person_key,
    present.row_key,
    case when present.cell = 0 then 0 else outcomes.rest end as cell,
    case when present.cell = 0 then cast(7 as bigint) end as waiting
from "kanon_work"."r1_ledger_present" as present
join "kanon_work"."r1_ledger_outcomes" as outcomes on outcomes.cell = present.cell
    and outcomes.class = present.class
left join "kanon_work"."r1_ledger_fellows" as fellows on fellows.person_key = present.person_key
    and fellows.batch = outcomes.batch
where (outcomes.how = 'withheld' or fellows.person_key is not null)
    and ((present.cell = 0 and present.known = 0) or outcomes.rest is not null)
union all
select
    gone.person_key,
    gone.row_key,
    rests.rest as cell,
    cast(null as bigint) as waiting
from "kanon_work"."r1_ledger_present" as gone
left join (
    select distinct
        cell,
        rest
    from "kanon_work"."r1_ledger_outcomes"
    where rest is not null
) as rests on rests.cell = gone.cell
left join (
    select distinct person_key
    from "kanon_work"."r1_ledger_present"
    where class is not null
) as still on still.person_key = gone.person_key
    and gone.row_key = 0
where gone.class is null
    and (gone.cell = 0 or rests.rest is not null)
    and still.person_key is null
