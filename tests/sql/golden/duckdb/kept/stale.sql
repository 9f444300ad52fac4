-- kept/stale
select
    coalesce(now.part, kept.part) as part,
    case when now.part is null then 0 else 1 end as is_there
from (
    select
        floor(id / 10) as part,
        count(*) as n
    from "census"."people"
    group by floor(id / 10)
) as now
full join (
    select
        part,
        sum(n) as n
    from "kanon_work"."kept_1_2"
    group by part
) as kept on kept.part = now.part
where now.n is null
    or kept.n is null
    or now.n <> kept.n
    or now.part >= (select max(part) from "kanon_work"."kept_1_2")
    or now.part < 0
order by 1
