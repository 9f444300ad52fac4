-- cluster/cutting/assignment
create table `kanon_work`.`r1_made` as
select
    rid,
    dense_rank() over (order by part, g) as g
from (
    select
        rid,
        1 as part,
        g
    from `kanon_work`.`r1_finished_rows`
    union all
    select
        rid,
        0 as part,
        g
    from (
        select
            rid,
            g,
            count(*) over (partition by g) as n
        from `kanon_work`.`r1_assignment`
        where g is not null
    ) as before
    where n <= 9
) as groups
union all
select
    rid,
    g
from `kanon_work`.`r1_assignment`
where g is null
