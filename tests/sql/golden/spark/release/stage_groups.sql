-- release/stage_groups
create table `release`.`people__v1` as
select
    labels.label_0 as `a ge`
from (
    select
        rows.*,
        row_number() over (
            partition by rows.`kanon_q0_0`
            order by rows.illness
        ) as `kanon_place`
    from `kanon_work`.`r1_coded` as rows
) as rows
join (
    select
        q0_0,
        sum(n) over (order by q0_0 rows unbounded preceding) - n as before
    from (
        select
            q0_0,
            sum(n) as n
        from `kanon_work`.`r1_base`
        group by q0_0
    ) as combinations
) as counted on counted.q0_0 = rows.`kanon_q0_0`
join `kanon_work`.`r1_assignment` as assigned on assigned.rid = counted.before + rows.`kanon_place`
join `kanon_work`.`r1_labels` as labels on labels.g = assigned.g
order by xxhash64(cast(labels.label_0 as string), cast(labels.label_0 as string) is null)
