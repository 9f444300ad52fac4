-- ledger/released_behind
create view `kanon_work`.`r1_coded` as
select behind.*
from `census`.`people` as behind
left join `kanon_work`.`r1_ledger_withheld` as withheld on withheld.place_of_row = behind.`kanon_row`
where withheld.place_of_row is null
