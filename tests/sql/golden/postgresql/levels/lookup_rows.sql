-- levels/lookup_rows
insert into "kanon_work"."r1_lookup_5" values
    ('a', 'x'),
    ('it''s', 'x')
