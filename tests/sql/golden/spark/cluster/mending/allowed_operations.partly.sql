-- cluster/mending/allowed_operations
create table `kanon_work`.`r1_made` as
select operations.*
from `kanon_work`.`r1_operations` as operations
left join (
    select
        (key0 div 2) as place,
        max(key0 % 2) as second
    from `kanon_work`.`r1_refused_groups`
    group by (key0 div 2)
) as refused on refused.place = operations.place
where refused.place is null or (operations.partly = 1 and refused.second = 0)
