-- doctor/may_create
select
    true as there,
    true as may
