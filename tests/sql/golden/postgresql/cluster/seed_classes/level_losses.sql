-- cluster/seed_classes/level_losses
select
    0 as attribute,
    0 as level,
    cast(sum(0) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    0 as attribute,
    1 as level,
    cast(sum(42857) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    0 as attribute,
    2 as level,
    cast(sum(214285) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    0 as attribute,
    3 as level,
    cast(sum(1000000) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    1 as attribute,
    0 as level,
    cast(sum(0) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    1 as attribute,
    1 as level,
    cast(sum(case when t1_1 = f1_1 then 0 else 10000 * (t1_1 - f1_1) end) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    1 as attribute,
    2 as level,
    cast(sum(case when t1_2 = f1_2 then 0 else 10000 * (t1_2 - f1_2) end) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    1 as attribute,
    3 as level,
    cast(sum(1000000) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    2 as attribute,
    0 as level,
    cast(sum(0) as double precision) as loss
from "kanon_work"."r1_rows" as rows
union all
select
    2 as attribute,
    1 as level,
    cast(sum(1000000) as double precision) as loss
from "kanon_work"."r1_rows" as rows
