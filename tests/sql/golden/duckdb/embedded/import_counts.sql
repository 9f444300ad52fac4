-- embedded/import_counts
create table "kanon_work"."r1_counts" as
select *
from read_csv('counts')
