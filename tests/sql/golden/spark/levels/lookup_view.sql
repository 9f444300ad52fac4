-- levels/lookup_view
create view `kanon_work`.`r1_lookup_5` as
select
    cast(`value` as string) as `value`,
    cast(`label_1` as string) as `label_1`
from values
    ('it\'s', 'x'),
    ('b', 'x')
as lookup (`value`, `label_1`)
