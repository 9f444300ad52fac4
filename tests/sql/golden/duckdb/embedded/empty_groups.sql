-- embedded/empty_groups
create table "kanon_work"."r1_made" (
    rid bigint,
    g bigint
)
