-- cluster/moving/replaced_rows
create table "kanon_work"."r1_made" as
select old.*
from "kanon_work"."r1_assign" as old
left join (
    select distinct rid
    from "kanon_work"."r1_moves"
) as named on named.rid = old.rid
where named.rid is null
union all
select *
from "kanon_work"."r1_moves"
