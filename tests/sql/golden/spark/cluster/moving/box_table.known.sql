-- cluster/moving/box_table
create table `kanon_work`.`r1_made` as
select
    box.*,
    cast(array(0L, 300000L, 1000000L, 1000000L, 300000L, 0L, 1000000L, 1000000L, 1000000L, 1000000L, 0L, 300000L, 1000000L, 1000000L, 300000L, 0L)[int(box.lo0 * 4 + box.hi0)] as bigint) as loss
    , array(4L, 8L, 0L, 0L, 8L, 12L, 0L, 0L, 0L, 0L, 16L, 20L, 0L, 0L, 20L, 24L)[int(box.lo0 * 4 + box.hi0)] as d0

from (
    select
        assigned.g,
        count(*) as n
    , min(rows.a0) as lo0
    , max(rows.a0) as hi0

    from `kanon_work`.`r1_assignment` as assigned
    join `kanon_work`.`r1_rows` as rows on rows.rid = assigned.rid
    where assigned.g is not null
    group by assigned.g
) as box
