-- levels/population_base
create table `kanon_work`.`r1_population` as
select
    case
        when raw.v0 is null then (select max(q0_0) from `kanon_work`.`r1_dictionary_0` where value is null)
        else d0.q0_0
    end as q0_0,
    case
        when raw.v0 is null then (select max(q0_1) from `kanon_work`.`r1_dictionary_0` where value is null)
        else d0.q0_1
    end as q0_1,
    case
        when raw.v0 is null then (select max(q0_2) from `kanon_work`.`r1_dictionary_0` where value is null)
        else d0.q0_2
    end as q0_2,
    case
        when raw.v1 is null then (select max(q1_0) from `kanon_work`.`r1_dictionary_1` where value is null)
        else d1.q1_0
    end as q1_0,
    case
        when raw.v1 is null then (select max(q1_1) from `kanon_work`.`r1_dictionary_1` where value is null)
        else d1.q1_1
    end as q1_1,
    case
        when raw.v2 is null then (select max(q2_0) from `kanon_work`.`r1_dictionary_2` where value is null)
        else d2.q2_0
    end as q2_0,
    case
        when raw.v2 is null then (select max(q2_1) from `kanon_work`.`r1_dictionary_2` where value is null)
        else d2.q2_1
    end as q2_1,
    case
        when raw.v2 is null then (select max(q2_2) from `kanon_work`.`r1_dictionary_2` where value is null)
        else d2.q2_2
    end as q2_2,
    case
        when raw.v3 is null then (select max(q3_0) from `kanon_work`.`r1_dictionary_3` where value is null)
        else d3.q3_0
    end as q3_0,
    case
        when raw.v3 is null then (select max(q3_1) from `kanon_work`.`r1_dictionary_3` where value is null)
        else d3.q3_1
    end as q3_1,
    case
        when raw.v3 is null then (select max(q3_2) from `kanon_work`.`r1_dictionary_3` where value is null)
        else d3.q3_2
    end as q3_2,
    case
        when raw.v3 is null then (select max(q3_3) from `kanon_work`.`r1_dictionary_3` where value is null)
        else d3.q3_3
    end as q3_3,
    case
        when raw.v4 is null then (select max(q4_0) from `kanon_work`.`r1_dictionary_4` where value is null)
        else d4.q4_0
    end as q4_0,
    case
        when raw.v4 is null then (select max(q4_1) from `kanon_work`.`r1_dictionary_4` where value is null)
        else d4.q4_1
    end as q4_1,
    case
        when raw.v5 is null then (select max(q5_0) from `kanon_work`.`r1_dictionary_5` where value is null)
        else d5.q5_0
    end as q5_0,
    case
        when raw.v5 is null then (select max(q5_1) from `kanon_work`.`r1_dictionary_5` where value is null)
        else d5.q5_1
    end as q5_1,
    raw.person as person,
    cast(raw.n as bigint) as n
from `kanon_work`.`r1_population_raw` as raw
left join `kanon_work`.`r1_population_0` as d0 on raw.v0 = d0.value
left join `kanon_work`.`r1_population_1` as d1 on raw.v1 = d1.value
left join `kanon_work`.`r1_population_2` as d2 on raw.v2 = d2.value
left join `kanon_work`.`r1_population_3` as d3 on raw.v3 = d3.value
left join `kanon_work`.`r1_population_4` as d4 on raw.v4 = d4.value
left join `kanon_work`.`r1_population_5` as d5 on raw.v5 = d5.value
