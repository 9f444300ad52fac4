-- ledger/copied
create table `census`.`people` as
select *
from `kanon_ledger`.`cells_0123456789ab`
