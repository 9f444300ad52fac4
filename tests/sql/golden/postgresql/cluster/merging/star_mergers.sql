-- cluster/merging/star_mergers
create unlogged table "kanon_work"."r1_made" as
select operations.*
from "kanon_work"."r1_operations" as operations
left join "kanon_work"."r1_violating_groups" as violating on violating.key0 = operations.g2
where (operations.g * 2654435761 % 2147483647 * 854716505 % 2147483647 % 2) = 0 and (violating.key0 is null or (operations.g2 * 2654435761 % 2147483647 * 854716505 % 2147483647 % 2) = 1)
