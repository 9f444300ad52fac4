-- release/verify
select
    coalesce(min(c), 0) as min_class,
    count(*) as classes,
    coalesce(sum(c), 0) as rows
from (
    select count(*) as c
    from "release"."people__v1"
    group by
        "age",
        "se x"
) as classes
