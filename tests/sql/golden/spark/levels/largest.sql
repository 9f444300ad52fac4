-- levels/largest
select
    max(cast(`age` as double)) as largest_0,
    max(cast(`in"come` as double)) as largest_1
from `census`.`people`
