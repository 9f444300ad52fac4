-- ledger/fellows
create table "kanon_work"."r1_ledger_fellows" as
with published as (
    select distinct
        present.person_key,
        present.row_key,
        present.person,
        outcomes.batch,
        outcomes.cell
    from "kanon_work"."r1_ledger_present" as present
    join "kanon_work"."r1_ledger_outcomes" as outcomes on outcomes.cell = present.cell
        and outcomes.class = present.class
    where outcomes.how <> 'withheld'
        and outcomes.cell <> 0
),
missed as (
    select
        people.cell,
        count(distinct people.person_key) as persons
    from "kanon_ledger"."people_0123456789ab" as people
    left join published on published.person_key = people.person_key
        and (published.row_key = people.row_key or people.row_key = 0)
    where published.person_key is null
        and people.cell <> 0
    group by people.cell
),
parts as (
    select
        outcomes.batch,
        missed.persons as missed,
        row_number() over (
            partition by outcomes.cell
            order by
                case when outcomes.persons + missed.persons >= 2 * 5 then 0 else 1 end,
                case when outcomes.persons + missed.persons >= 2 * 5 then -outcomes.persons else outcomes.persons end,
                outcomes.class
        ) as place,
        case when 1 = 0 or outcomes.persons + missed.persons < 2 * 5 then outcomes.persons else 5 - missed.persons end as asked
    from "kanon_work"."r1_ledger_outcomes" as outcomes
    join missed on missed.cell = outcomes.cell
        and missed.persons < 5
    where outcomes.how <> 'withheld'
)
select distinct
    chosen.person_key,
    chosen.batch
from (
    select
        published.person_key,
        published.batch,
        parts.asked,
        dense_rank() over (
            partition by published.batch
            order by case when published.person is null then 0 else 1 end, published.person_key
        ) as place
    from published
    join parts on parts.batch = published.batch
        and parts.place = 1
) as chosen
where chosen.place <= chosen.asked
