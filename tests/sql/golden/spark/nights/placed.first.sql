-- nights/placed
create table `kanon_work`.`r1_night_placed` as
select
    rows.rid,
    rows.person_key,
    rows.row_key,
    rows.named,
    cast(null as bigint) as before,
    cast(null as bigint) as founder,
    cast(null as bigint) as since,
    cast(null as bigint) as waiting,
    cast(null as bigint) as retired,
    cast(null as bigint) as seen,
    'new' as fate
from `kanon_work`.`r1_night_rows` as rows
