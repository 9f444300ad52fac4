-- ledger/classes_of_groups
create unlogged table "kanon_work"."r1_ledger_classes" as
select
    class,
    substr(encode(sha256(convert_to('sa''lt' || cast(coalesce(cast(length(cast(label0 as text)) as text) || ':' || cast(label0 as text), '-') || coalesce(cast(length(cast(label1 as text)) as text) || ':' || cast(label1 as text), '-') as text), 'UTF8')), 'hex'), 1, 32) as class_key
from (
    select
        row_number() over (order by "age", "to""wn") as class
        , cast("age" as text) as label0
        , cast("to""wn" as text) as label1
    from "kanon_work"."r1_coded"
    group by "age", "to""wn"
) as classes
