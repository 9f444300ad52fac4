-- levels/columns_view
create view "kanon_work"."r1_published" as
select
    "same" as "same",
    case when ("float" = 'NaN') then cast('NaN' as double precision) else "float" + cast(0 as double precision) end as "float",
    case when (cast(cast("real" as text) as double precision) = 'NaN') then cast('NaN' as double precision) else cast(cast("real" as text) as double precision) + cast(0 as double precision) end as "real",
    trim_scale(cast("scaled" as numeric)) as "scaled",
    (cast("collated" as text) collate "default") as "collated",
    cast("text" as text) as "text",
    "same" as "read_same",
    cast("float" as text) as "read_float",
    cast("real" as text) as "read_real",
    cast("scaled" as text) as "read_scaled",
    (cast("collated" as text) collate "default") as "read_collated",
    case when "text" is not null then format('%s', "text") end as "read_text"
from "census"."people"
