-- release/stage
create table `release`.`people__v1` as
select
    cast(rows.age__0 as string) as `age`
from `kanon_work`.`r1_coded` as rows
left join `kanon_work`.`r1_violating` as violating on 1 = 1
    and violating.key0 = q0_1 + cast(q1_1 as bigint) * 15 + cast(q2_1 as bigint) * 4500 + cast(q3_1 as bigint) * 135000 + cast(q4_1 as bigint) * 40500000 + cast(q5_1 as bigint) * 364500000
where violating.key0 is null
order by xxhash64(cast(rows.`age__0` as string), cast(rows.`age__0` as string) is null)
