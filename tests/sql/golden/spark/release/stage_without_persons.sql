-- release/stage_without_persons
create table `release`.`people__v1` as
select
    `a ge`,
    `ill`
from `kanon_work`.`r1_behind`
order by xxhash64(cast(`a ge` as string), cast(`a ge` as string) is null, cast(`ill` as string), cast(`ill` as string) is null)
