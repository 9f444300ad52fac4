-- release/counts
create temp table "kanon_work"."r1_staged_counts" as
select
    "age",
    "income",
    "bmi",
    "seen",
    "zip",
    "race",
    "ill",
    count(*) as "kanon_n"
from "release"."people__v1"
group by "age", "income", "bmi", "seen", "zip", "race", "ill"
