-- release/stage_without_persons
create table "release"."people__v1" as
select
    "a ge",
    "ill"
from "kanon_work"."r1_behind"
order by hashtextextended(coalesce(cast("ill" as text), ''), hashtextextended(coalesce(cast("a ge" as text), ''), 0 # cast("a ge" is null as integer)) # cast("ill" is null as integer))
