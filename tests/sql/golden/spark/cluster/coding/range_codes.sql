-- cluster/coding/range_codes
create table `kanon_work`.`r1_made` as
select
    code as q0_0,
    cast(code as bigint) as c0,
    coalesce(cast(floor((x - min(x) over ()) / nullif(max(x) over () - min(x) over (), 0) * 1000000 + 0.5) as bigint), 0) as a0
from (
    select
        q0_0 as code,
        value as x
    from `kanon_work`.`r1_dictionary_0`
) as finite_values
