-- levels/source_view
create view `kanon_work`.`r1_source` as
select *
from some_file
