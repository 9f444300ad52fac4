-- levels/uncovered
select coalesce(sum(uncovered), 0) as uncovered
from `kanon_work`.`r1_sensitive_hierarchy_0`
