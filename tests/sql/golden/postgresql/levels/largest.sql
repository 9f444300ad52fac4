-- levels/largest
select
    max(cast("age" as double precision)) as largest_0,
    max(cast("in""come" as double precision)) as largest_1
from "census"."people"
