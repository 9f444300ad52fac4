-- nights/members
create table "kanon_work"."r1_night_members" as
select
    person_key,
    row_key,
    max(g) as g,
    max(founder) as founder,
    min(since) as since,
    min(waiting) as waiting,
    min(retired) as retired,
    max(seen) as seen
from (
    select
        placed.person_key,
        placed.row_key,
        case when kept.g is not null then kept.g when placed.fate in ('retired', 'stayed') then placed.before end as g,
        case
            when placed.fate in ('stayed', 'retired') then coalesce(placed.founder, 0)
            when founded.g is not null then placed.named
            else 0
        end as founder,
        case when placed.fate = 'stayed' then placed.since else cast(8 as bigint) end as since,
        case
            when kept.g is null and placed.fate in ('new', 'moved', 'waiting')
                then coalesce(placed.waiting, cast(8 as bigint))
        end as waiting,
        case
            when placed.fate = 'retired' then placed.retired
            when placed.fate = 'stayed' and live.g is null then cast(8 as bigint)
        end as retired,
        case when kept.g is not null or placed.seen = 1 then 1 else 0 end as seen
    from "kanon_work"."r1_night_placed" as placed
    left join "kanon_work"."r1_night_assigned" as kept on kept.rid = placed.rid
    left join "kanon_work"."r1_night_live" as live on live.g = placed.before
    left join "kanon_work"."r1_night_founded" as founded on founded.rid = placed.rid
    union all
    select
        gone.person_key,
        gone.row_key,
        cast(null as bigint) as g,
        0 as founder,
        gone.since,
        cast(null as bigint) as waiting,
        gone.retired,
        gone.seen
    from "kanon_ledger"."groups_1_2_members_v7" as gone
    left join "kanon_work"."r1_night_placed" as placed on placed.person_key = gone.person_key
        and (placed.row_key = gone.row_key or gone.row_key = 0)
    where gone.seen = 1
        and placed.person_key is null
) as everybody
group by
    person_key,
    row_key
