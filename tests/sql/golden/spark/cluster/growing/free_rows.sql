-- cluster/growing/free_rows
create table `kanon_work`.`r1_made` as
select
    dense_rank() over (
        order by g, case when rows_beside >= 5 then c3 else -1 end
    ) as block,
    rid
    , a0
    , a1
    , f1_1
    , t1_1
    , m0
    , c0
    , c1
    , c2
    , c3

from (
    select
        blocks.g as g,
        count(*) over (partition by blocks.g, c3) as rows_beside,
        rows.rid
    , rows.a0
    , rows.a1
    , rows.f1_1
    , rows.t1_1
    , rows.m0
    , rows.c0
    , rows.c1
    , rows.c2
    , rows.c3

    from `kanon_work`.`r1_rows` as rows
    join `kanon_work`.`r1_assignment` as blocks on blocks.rid = rows.rid
    where blocks.g is not null
) as placed
