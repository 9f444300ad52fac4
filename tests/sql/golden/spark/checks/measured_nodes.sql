-- checks/measured_nodes
select
    node,
    min(case when reached > 10 then c end) as k,
    sum(case when reached > 10 then classes else 0 end) as kept_classes,
    coalesce(max(case when reached <= 10 then reached end), 0) as suppressed,
    sum(classes) as classes,
    min(c) as min_class
    , coalesce(sum(case when reached > 10 then squares else 0 end), 0) as squares
from (
    select
        node,
        c,
        classes,
        squares,
        sum(n) over (partition by node order by c) as reached
    from (
        select
            node,
            c,
            count(*) as classes,
            sum(n * n) as squares,
            sum(n) as n
        from (
    select
        0 as node,
        sum(n) as c,
        sum(n) as n
    from `kanon_work`.`r1_base`
        group by q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000



union all
    select
        1 as node,
        sum(n) as c,
        sum(n) as n
    from `kanon_work`.`r1_base`




        ) as classes
        group by node, c
    ) as sizes
) as running
group by node
