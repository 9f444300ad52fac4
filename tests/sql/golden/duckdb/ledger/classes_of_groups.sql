-- ledger/classes_of_groups
create table "kanon_work"."r1_ledger_classes" as
select
    class,
    substr(sha256('sa''lt' || cast(coalesce(cast(length(cast(label0 as varchar)) as varchar) || ':' || cast(label0 as varchar), '-') || coalesce(cast(length(cast(label1 as varchar)) as varchar) || ':' || cast(label1 as varchar), '-') as varchar)), 1, 32) as class_key
from (
    select
        row_number() over (order by "age", "to""wn") as class
        , cast("age" as varchar) as label0
        , cast("to""wn" as varchar) as label1
    from "kanon_work"."r1_coded"
    group by "age", "to""wn"
) as classes
