-- levels/sensitive_codes
select
    0 as place,
    code
from `kanon_work`.`r1_sensitive_0`
where cast(value as string) = 'it\'s'
union all
select
    1 as place,
    code
from `kanon_work`.`r1_sensitive_0`
where cast(value as string) = 'x'
union all
select
    -1 as place,
    count(*) as code
from `kanon_work`.`r1_sensitive_0`
where value is not null
    and cast(value as string) not in ('it\'s', 'x')
