-- checks/rows_in_small_classes
select
    place,
    sum(n) as n
from (
    select
        asked.place, small.combination0, small.combination1,
        max(small.n) as n
    from (
        values
            (0, 0, 3),
            (0, 1, 3),
            (1, 1, 5)
    ) as asked (place, measured, most)
    join "kanon_work"."r1_small_classes" as small on small.measured = asked.measured and small.c <= asked.most
    group by asked.place, small.combination0, small.combination1
) as known
group by place
