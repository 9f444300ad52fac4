-- cluster/seed_classes/append_singletons
insert into "kanon_work"."r1_finished_rows"
select
    rid,
    17 + rid as g
from "kanon_work"."r1_unassigned_rows"
