-- metrics/suppression_steps
select
    0 as attribute,
    0 as level,
    step,
    sum(n) as n
from (
    select
        n,
        cast(floor((1 - (0)) * 256) as bigint) as step
    from "kanon_work"."r1_dictionary_0"
) as cells
group by
    step
union all
select
    0 as attribute,
    1 as level,
    step,
    sum(n) as n
from (
    select
        n,
        cast(floor((1 - (1)) * 256) as bigint) as step
    from "kanon_work"."r1_dictionary_0"
) as cells
group by
    step
union all
select
    1 as attribute,
    0 as level,
    step,
    sum(n) as n
from (
    select
        n,
        cast(floor((1 - (0)) * 256) as bigint) as step
    from "kanon_work"."r1_dictionary_1"
) as cells
group by
    step
