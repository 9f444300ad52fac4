-- register/finish_run
update "kanon"."runs"
set
    "status" = 'failed',
    "ended" = '2026-01-02T03:04:05',
    "error" = 'it''s 100%',
    "node" = null
where id = 'r1'
