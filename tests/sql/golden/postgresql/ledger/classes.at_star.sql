-- ledger/classes
create unlogged table "kanon_work"."r1_ledger_classes" as
select
    row_number() over (order by 1) as class,
    substr(encode(sha256(convert_to('salt' || cast(coalesce(cast(length(cast('*' as text)) as text) || ':' || cast('*' as text), '-') as text), 'UTF8')), 'hex'), 1, 32) as class_key
from (
    select
        count(*) as combinations
    from "kanon_work"."r1_base"
) as classes
