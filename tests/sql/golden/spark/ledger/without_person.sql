-- ledger/without_person
create table `census`.`people` as
select
    person_key,
    row_key,
    cell,
    waiting
from `kanon_ledger`.`people_0123456789ab`
where person_key <> cast(conv(substr(sha2('sa\'lt' || cast('o\'neil' as string), 256), 1, 15), 16, 10) as bigint)
