-- metrics/cells
create unlogged table "kanon_work"."r1_glm_0" as
select
    q0_0 as code,
    n,
    cast(0 as double precision) as loss_0,
    cast(0.5 as double precision) as loss_1,
    cast(1 as double precision) as loss_suppressed
from "kanon_work"."r1_dictionary_0"
