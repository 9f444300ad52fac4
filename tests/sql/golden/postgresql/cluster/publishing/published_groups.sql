-- cluster/publishing/published_groups
create view "kanon_work"."r1_made" as
select
    labels.label_0 as "a ge",
    s0_words.value as "ill",
    units.place as "kanon_place"
from "kanon_work"."r1_units" as units
join "kanon_work"."r1_assignment" as assigned on assigned.rid = units.rid
join "kanon_work"."r1_labels" as labels on labels.g = assigned.g
left join "kanon_work"."r1_sensitive_0" as s0_words on s0_words.code = units.s0
