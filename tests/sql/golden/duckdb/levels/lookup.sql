-- levels/lookup
create table "kanon_work"."r1_lookup_5" (
    "value" varchar not null
    , "label_1" varchar
)
