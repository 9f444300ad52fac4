-- register/change_state
update "kanon"."releases"
set state = 'dropped'
where job = 'j'
    and "database" is null
    and version = 3
    and release_table = 't__v3'
    and state = 'kept'
