-- nights/story
select
    count(case when placed.fate = 'stayed' and kept.g is not null then 1 end) as stayed,
    count(case when placed.fate <> 'stayed' and kept.g is not null and members.founder = 0 then 1 end) as joined,
    count(case when placed.fate <> 'stayed' and kept.g is not null and members.founder = 1 then 1 end) as founded,
    count(case when placed.fate in ('new', 'moved', 'waiting') and kept.g is null then 1 end) as waiting,
    count(case when placed.fate = 'stayed' and live.g is null then 1 end) as retired_tonight,
    count(case when placed.fate = 'retired' or (placed.fate = 'stayed' and live.g is null) then 1 end) as retired,
    count(case when placed.fate = 'stayed' and live.g is not null and kept.g is null then 1 end) as resting,
    count(case when placed.fate = 'moved' then 1 end) as moved,
    (
        select count(*)
        from `kanon_ledger`.`groups_1_2_members_v7` as gone
        left join `kanon_work`.`r1_night_placed` as there on there.person_key = gone.person_key
            and (there.row_key = gone.row_key or gone.row_key = 0)
        where gone.g is not null
            and gone.retired is null
            and there.person_key is null
    ) as gone,
    count(case when placed.fate = 'new' or (placed.fate = 'waiting' and placed.waiting is null) then 1 end) as arrived,
    min(case when placed.fate in ('new', 'moved', 'waiting') and kept.g is null then members.waiting end) as waiting_since,
    (select count(*) from `kanon_ledger`.`groups_1_2_members_v7` where g is not null and retired is null) as members_before,
    (select count(distinct g) from `kanon_ledger`.`groups_1_2_members_v7` where g is not null and retired is null) as groups_before,
    (select count(*) from `kanon_work`.`r1_night_live`) as groups_kept
from `kanon_work`.`r1_night_placed` as placed
left join `kanon_work`.`r1_night_assigned` as kept on kept.rid = placed.rid
left join `kanon_work`.`r1_night_live` as live on live.g = placed.before
left join `kanon_work`.`r1_night_members` as members on members.person_key = placed.person_key
    and members.row_key = placed.row_key
