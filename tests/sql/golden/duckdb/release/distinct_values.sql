-- release/distinct_values
select
    approx_count_distinct("ill") as values_0,
    approx_count_distinct("to wn") as values_1
from "kanon_work"."r1_coded"
