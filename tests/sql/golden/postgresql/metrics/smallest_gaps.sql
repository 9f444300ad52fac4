-- metrics/smallest_gaps
select
    0 as attribute,
    min(case when gap > 0 then gap end) as gap,
    max(figure) - min(figure) as width
from (
    select
        figure,
        figure - lag(figure) over (order by figure) as gap
    from (
        select value as figure
        from "kanon_work"."r1_dictionary_0"
    ) as figures
    where figure is not null
) as gaps
union all
select
    2 as attribute,
    min(case when gap > 0 then gap end) as gap,
    max(figure) - min(figure) as width
from (
    select
        figure,
        figure - lag(figure) over (order by figure) as gap
    from (
        select value as figure
        from "kanon_work"."r1_dictionary_2"
    ) as figures
    where figure is not null
) as gaps
