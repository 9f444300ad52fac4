-- embedded/empty_groups
create unlogged table "kanon_work"."r1_made" (
    rid bigint,
    g bigint
)
