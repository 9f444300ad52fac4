-- cluster/coding/rule_codes
create table "kanon_work"."r1_made" as
select
    q0_0,
    cast(case when value < 4 then 0 when value >= 4 then 2 else 1 end as bigint) as c3,
    cast(case when value < 4 then 32 when value >= 4 then 64 else 0 end as bigint) as m0
from "kanon_work"."r1_dictionary_0"
