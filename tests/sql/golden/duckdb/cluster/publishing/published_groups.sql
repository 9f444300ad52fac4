-- cluster/publishing/published_groups
create view "kanon_work"."r1_made" as
select
    labels.label_0 as "a ge",
    s0_words.value as "ill",
    counted.n as "kanon_n"
from (
    select
        assigned.g,
        units.s0,
        count(*) as n
    from "kanon_work"."r1_assignment" as assigned
    join "kanon_work"."r1_units" as units on units.rid = assigned.rid
    group by
        assigned.g,
        units.s0
) as counted
join "kanon_work"."r1_labels" as labels on labels.g = counted.g
left join "kanon_work"."r1_sensitive_0" as s0_words on s0_words.code = counted.s0
