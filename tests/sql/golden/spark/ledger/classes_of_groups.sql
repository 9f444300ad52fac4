-- ledger/classes_of_groups
create table `kanon_work`.`r1_ledger_classes` as
select
    class,
    substr(sha2('sa\'lt' || cast(coalesce(cast(length(cast(label0 as string)) as string) || ':' || cast(label0 as string), '-') || coalesce(cast(length(cast(label1 as string)) as string) || ':' || cast(label1 as string), '-') as string), 256), 1, 32) as class_key
from (
    select
        row_number() over (order by `age`, `to"wn`) as class
        , cast(`age` as string) as label0
        , cast(`to"wn` as string) as label1
    from `kanon_work`.`r1_coded`
    group by `age`, `to"wn`
) as classes
