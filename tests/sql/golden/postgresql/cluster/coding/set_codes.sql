-- cluster/coding/set_codes
create unlogged table "kanon_work"."r1_made" as
select
    code as q2_0,
    place as c2
    , case
        when place between 0 and 4
            then cast(power(2, place - 0) as bigint)
        else cast(0 as bigint)
    end as m0
from (
    select
        q2_0 as code,
        cast(row_number() over (order by n desc, q2_0) - 1 as bigint) as place
    from "kanon_work"."r1_dictionary_2"
) as places
