-- nights/present
create table "kanon_work"."r1_night_1_present" as
select
    rid,
    person_key,
    row_key,
    named
    , v_0
    , a1
from (
    select
        rows.*,
        case when joining >= 14778 then 0 else 1 + (joining * 3 // 14778) end as arrival
    from (
        select
            rows.*,
            ((((rows.rid + 7920) % 1000003) * ((rows.rid + 7920) % 1000003) % 1000003) * ((rows.rid + 7920) % 1000003) + 943 * ((rows.rid + 7920) % 1000003)) % 1000003 as joining,
            ((((rows.rid + 104760) % 1000003) * ((rows.rid + 104760) % 1000003) % 1000003) * ((rows.rid + 104760) % 1000003) + 77 * ((rows.rid + 104760) % 1000003)) % 1000003 as leaving
        from "kanon_work"."r1_night_rows" as rows
    ) as rows
) as rows
where rows.arrival <= 2
    and rows.leaving >= list_extract([0, 5000, 9975, 14925], (2 - rows.arrival) + 1)
