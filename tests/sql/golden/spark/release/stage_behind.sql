-- release/stage_behind
create table `release`.`people__v1` as
select
    `a ge`,
    `ill`
from `kanon_work`.`r1_behind`
order by xxhash64(`a ge`, `a ge` is null, `ill`, `ill` is null)
