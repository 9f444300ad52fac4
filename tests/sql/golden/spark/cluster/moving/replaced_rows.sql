-- cluster/moving/replaced_rows
create table `kanon_work`.`r1_made` as
select old.*
from `kanon_work`.`r1_assignment` as old
left join (
    select distinct rid
    from `kanon_work`.`r1_moved_rows`
) as named on named.rid = old.rid
where named.rid is null
union all
select *
from `kanon_work`.`r1_moved_rows`
