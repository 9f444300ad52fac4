-- kept/stale
select
    coalesce(now.part, kept.part) as part,
    case when now.part is null then 0 else 1 end as is_there,
    case when now.n = kept.n then 1 else 0 end as known
from (
    select
        floor(id / 10) as part,
        count(*) as n,
        sum(cast(hashtextextended(coalesce(cast("zip" as text), ''), hashtextextended(coalesce(cast("age" as text), ''), 0 # cast("age" is null as integer)) # cast("zip" is null as integer)) as numeric)) as digest
    from "census"."people"
    group by floor(id / 10)
) as now
full join (
    select
        part,
        sum(n) as n,
        sum(cast(hashtextextended(coalesce(cast(v1 as text), ''), hashtextextended(coalesce(cast(v0 as text), ''), 0 # cast(v0 is null as integer)) # cast(v1 is null as integer)) as numeric) * n) as digest
    from "kanon_work"."kept_1_2"
    group by part
) as kept on kept.part = now.part
where now.n is null
    or kept.n is null
    or now.n <> kept.n
    or now.digest <> kept.digest
order by 1
