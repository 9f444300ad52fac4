-- embedded/empty_groups
create unlogged table "kanon_work"."r1_assignment" (
    rid bigint,
    g bigint
)
