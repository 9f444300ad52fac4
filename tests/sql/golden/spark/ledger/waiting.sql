-- ledger/waiting
select
    count(*) as persons,
    min(people.waiting) as oldest,
    coalesce(sum(case when people.waiting <= 3 then 1 else 0 end), 0) as overdue
from `kanon_ledger`.`people_0123456789ab` as people
left join `kanon_work`.`r1_ledger_people` as changed on changed.person_key = people.person_key
    and changed.row_key = people.row_key
where people.cell = 0
    and changed.person_key is null
