-- cluster/moving/replaced_rows
create table `kanon_work`.`r1_made` as
select old.*
from `kanon_work`.`r1_assignment` as old
where not exists (
    select 1
    from `kanon_work`.`r1_moved_rows` as fresh
    where fresh.rid = old.rid
)
union all
select *
from `kanon_work`.`r1_moved_rows`
