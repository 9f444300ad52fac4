-- register/rename_job
update "kanon"."runs"
set job = 'main.people'
where job = 'people'
