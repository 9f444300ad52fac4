-- ledger/poor_sets
select count(*) as sets
from "kanon_work"."r1_ledger_batches" as batches
join "kanon_work"."r1_ledger_poor" as poor on poor.key0 = batches.batch
where batches.persons >= 5
