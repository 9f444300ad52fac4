-- evaluate/picked
create table `kanon_work`.`r1_picked_0` as
select
    parts.query as query,
    members.q0_0 as code,
    cast(value as double) as x
from `kanon_work`.`r1_workload_parts_0` as parts
join `kanon_work`.`r1_dictionary_0` as members on
    ((parts.level = 0 and members.q0_0 between parts.first_code and parts.last_code)
    or (parts.level = 1 and members.q0_1 between parts.first_code and parts.last_code)
    )
where parts.attribute = 0
    and cast(value as double) is not null
