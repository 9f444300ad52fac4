-- cluster/limits/groupable_rows
create table `kanon_work`.`r1_made` as
select rows.*
from `kanon_work`.`r1_rows` as rows
join (
    select t1_2, a2
    from `kanon_work`.`r1_rows`
    group by t1_2, a2
    having count(*) >= 5
) as classes on classes.t1_2 = rows.t1_2 and classes.a2 = rows.a2
