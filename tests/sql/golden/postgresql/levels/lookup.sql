-- levels/lookup
create unlogged table "kanon_work"."r1_lookup_5" (
    "value" text not null
    , "label_1" text
)
