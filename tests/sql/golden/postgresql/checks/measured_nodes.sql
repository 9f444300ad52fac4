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
    from "kanon_work"."r1_base_9"
        group by cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)



union all
    select
        1 as node,
        sum(n) as c,
        sum(n) as n
    from "kanon_work"."r1_base"




        ) as classes
        group by node, c
    ) as sizes
) as running
group by node
