-- release/stage_without_persons
create table "release"."people__v1" as
select
    "a ge",
    "ill"
from "kanon_work"."r1_behind"
order by hash("a ge", "ill")
