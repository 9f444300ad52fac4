-- release/stage
create table "release"."people__v1" as
select
    cast(rows.age__0 as text) as "age"
from "kanon_work"."r1_coded" as rows
left join "kanon_work"."r1_violating" as violating on 1 = 1
    and violating.key0 = cast(q0_1 + q1_1 * 15 + q2_1 * 4500 + q3_1 * 135000 + q4_1 * 40500000 + q5_1 * 364500000 as bigint)
where violating.key0 is null
order by hashtextextended(coalesce(cast(rows."age__0" as text), ''), 0 # cast(rows."age__0" is null as integer))
