-- nights/members
create table `kanon_work`.`r1_night_members` as
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
        case when placed.fate = 'stayed' then placed.since else cast(1 as bigint) end as since,
        case
            when kept.g is null and placed.fate in ('new', 'moved', 'waiting')
                then coalesce(placed.waiting, cast(1 as bigint))
        end as waiting,
        case
            when placed.fate = 'retired' then placed.retired
        end as retired,
        case when kept.g is not null or placed.seen = 1 then 1 else 0 end as seen
    from `kanon_work`.`r1_night_placed` as placed
    left join `kanon_work`.`r1_night_founded` as kept on kept.rid = placed.rid
    left join `kanon_work`.`r1_night_founded` as founded on founded.rid = placed.rid
) as everybody
group by
    person_key,
    row_key
