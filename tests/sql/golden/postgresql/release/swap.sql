-- release/swap
create or replace view "release"."people" as
select *
from "release"."people__v1"
