-- embedded/import_dictionary
create table "kanon_work"."r1_dictionary_0" as
select
    code_0 as q0_0,
    code_1 as q0_1,
    n,
    value
from "kanon_work"."r1_dictionaries"
where attribute = 0
