-- register/forget_owner
delete from "kanon"."jobs"
where "database" = ''
    and target = 'release.people'
