-- cluster/growing/grown_groups
create table `kanon_work`.`r1_made` as
select
    rid,
    dense_rank() over (order by g) as g
from (
    select rid, g from `kanon_work`.`r1_grown` where turn <> 0
    union all
    select rid, rid as g from `kanon_work`.`r1_free_rows`
) as groups
