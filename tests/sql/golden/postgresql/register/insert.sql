-- register/insert
insert into "kanon"."runs" (
    "id",
    "pid"
)
values (
    'r1',
    7
)
