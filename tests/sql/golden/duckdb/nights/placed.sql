-- nights/placed
create table "kanon_work"."r1_night_placed" as
select
    rows.rid,
    rows.person_key,
    rows.row_key,
    rows.named,
    members.g as before,
    members.founder,
    members.since,
    members.waiting,
    members.retired,
    members.seen,
    case
        when members.person_key is null then 'new'
        when members.retired is not null then 'retired'
        when members.g is null then 'waiting'
        when boxes.g is not null then 'stayed'
        else 'moved'
    end as fate
from "kanon_work"."r1_night_rows" as rows
left join "kanon_ledger"."groups_1_2_members_v7" as members on members.person_key = rows.person_key
    and (members.row_key = rows.row_key or members.row_key = 0)
left join "kanon_work"."r1_night_boxes" as boxes on boxes.g = members.g
        and (boxes.any_0 = 1 or case when rows.v_0 is null then boxes.null_0 = 1 else rows.v_0 between boxes.from_0 and boxes.to_0 end)
        and (boxes.any_1 = 1 or rows.a1 between boxes.lo1 and boxes.hi1)
        and (boxes.any_2 = 1 or (rows.m0 & boxes.b2_0 & 7) <> 0)
        and (boxes.any_3 = 1 or exists (
            select 1
            from "kanon_ledger"."groups_1_2_values_v7" as held
            where held.g = boxes.g and held.attribute = 3 and held.word = rows.w_3
        ))
