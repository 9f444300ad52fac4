-- levels/sensitive_hierarchy
create table `kanon_work`.`r1_sensitive_hierarchy_0` as
select
    whole.code as code,
    case when whole.value is not null and lookup.value is null then 1 else 0 end as uncovered
    , dense_rank() over (order by lookup.label_1 nulls first) as g1
    , cast(sum(whole.n) over (partition by lookup.label_1) as double) / 1000 as gp1
    , dense_rank() over (order by lookup.label_2 nulls first) as g2
    , cast(sum(whole.n) over (partition by lookup.label_2) as double) / 1000 as gp2
from `kanon_work`.`r1_sensitive_0` as whole
left join `kanon_work`.`r1_lookup` as lookup on cast(whole.value as string) = lookup.value
