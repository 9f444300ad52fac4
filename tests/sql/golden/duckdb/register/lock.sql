-- register/lock
select 1 as locked
