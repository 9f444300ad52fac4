-- ledger/batch_rows
create unlogged table "kanon_work"."r1_ledger_batch_rows" as
select
    batches.batch,
    coalesce(d0.code, 0) as s0,
    present.person_key as person,
    cast(present.n as bigint) as n
from "kanon_work"."r1_ledger_present" as present
join "kanon_work"."r1_ledger_batches" as batches on batches.cell = present.cell
    and batches.class = present.class
left join "kanon_work"."r1_sensitive_0" as d0 on present.s0 = d0.value
