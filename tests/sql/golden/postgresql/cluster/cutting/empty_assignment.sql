-- cluster/cutting/empty_assignment
create unlogged table "kanon_work"."r1_made" (
    rid bigint,
    g bigint
)
