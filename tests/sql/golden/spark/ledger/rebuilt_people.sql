-- ledger/rebuilt_people
create table `census`.`people` as
select
    people.person_key,
    people.row_key,
    people.cell,
    people.waiting
from `kanon_ledger`.`people_0123456789ab` as people
left join `kanon_work`.`r1_ledger_people` as changed on changed.person_key = people.person_key
    and changed.row_key = people.row_key
where changed.person_key is null
union all
select
    person_key,
    row_key,
    cell,
    waiting
from `kanon_work`.`r1_ledger_people`
where cell is not null
