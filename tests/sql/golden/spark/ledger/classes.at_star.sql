-- ledger/classes
create table `kanon_work`.`r1_ledger_classes` as
select
    row_number() over (order by 1) as class,
    substr(sha2('salt' || cast(coalesce(cast(length(cast('*' as string)) as string) || ':' || cast('*' as string), '-') as string), 256), 1, 32) as class_key
from (
    select
        count(*) as combinations
    from `kanon_work`.`r1_base`
) as classes
