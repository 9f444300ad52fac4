-- checks/small_classes_loss
select
    small.measured,
    count(*) as kept,
    sum(case when small.c < asked.k then small.extra else 0 end) as extra
from (
    values
        (0, 7),
        (1, 9)
) as asked (measured, k)
join "kanon_work"."r1_small_classes" as small on small.measured = asked.measured
where small.measured >= 0
group by small.measured
