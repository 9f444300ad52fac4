-- cluster/merging/star_mergers
create unlogged table "kanon_work"."r1_made" as
select merges.*
from "kanon_work"."r1_merges" as merges
left join "kanon_work"."r1_small" as small on small.key0 = merges.g2
where ((merges.g * 2654435761 + 283521) % 2147483647 % 2) = 0 and (small.key0 is null or ((merges.g2 * 2654435761 + 283521) % 2147483647 % 2) = 1)
