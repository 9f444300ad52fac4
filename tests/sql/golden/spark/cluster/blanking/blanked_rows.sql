-- cluster/blanking/blanked_rows
create table `kanon_work`.`r1_made` as
select
    blanks.rid,
    coalesce(joining.g2, blanks.g) as g,
    blanks.mask | coalesce(cast(joining.blank_here as bigint), 0)
    | coalesce(cast(joined.blank_there as bigint), 0) as mask
from `kanon_work`.`r1_blanks` as blanks
left join `kanon_work`.`r1_mergers` as joining on joining.g = blanks.g
left join `kanon_work`.`r1_mergers` as joined on joined.g2 = blanks.g
