-- levels/columns_view
create view "kanon_work"."r1_published" as
select
    "same" as "same",
    case when isnan("float") then cast('NaN' as double) else "float" + cast(0 as double) end as "float",
    case when isnan(cast(cast("real" as varchar) as double)) then cast('NaN' as double) else cast(cast("real" as varchar) as double) + cast(0 as double) end as "real",
    cast("scaled" as numeric) as "scaled",
    decode(encode("collated")) as "collated",
    cast("text" as varchar) as "text",
    "same" as "read_same",
    cast("float" as varchar) as "read_float",
    cast("real" as varchar) as "read_real",
    cast("scaled" as varchar) as "read_scaled",
    decode(encode("collated")) as "read_collated",
    cast("text" as varchar) as "read_text"
from "census"."people"
