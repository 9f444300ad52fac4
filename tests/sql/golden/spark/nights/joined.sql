-- nights/joined
create table `kanon_work`.`r1_night_joined` as
with newcomers as (
    select rows.*
    from `kanon_work`.`r1_night_placed` as placed
    join `kanon_work`.`r1_night_rows` as rows on rows.rid = placed.rid
    where placed.fate in ('new', 'moved', 'waiting')
),
holding as (
    select boxes.*
    from `kanon_work`.`r1_night_boxes` as boxes
    join `kanon_work`.`r1_night_live` as live on live.g = boxes.g
)
select
    rows.rid,
    cast(min(boxes.loss * 4294967296 + boxes.g) % 4294967296 as bigint) as g
from newcomers as rows
join holding as boxes on 1 = 1
        and (boxes.any_0 = 1 or case when rows.v_0 is null then boxes.null_0 = 1 else rows.v_0 between boxes.from_0 and boxes.to_0 end)
        and (boxes.any_1 = 1 or rows.a1 between boxes.lo1 and boxes.hi1)
        and (boxes.any_2 = 1 or (rows.m0 & boxes.b2_0 & 7) <> 0)
        and (boxes.any_3 = 1 or exists (
            select 1
            from `kanon_ledger`.`groups_1_2_values_v7` as held
            where held.g = boxes.g and held.attribute = 3 and held.word = rows.w_3
        ))

group by rows.rid
