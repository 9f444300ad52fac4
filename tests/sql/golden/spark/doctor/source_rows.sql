-- doctor/source_rows
select count(*) as row_count
from `census`.`people`
