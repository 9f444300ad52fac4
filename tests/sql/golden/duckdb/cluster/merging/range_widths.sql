-- cluster/merging/range_widths
select
    0 as attribute,
    coalesce(max(value) - min(value), 0) as width
from "kanon_work"."r1_dictionary_0"
