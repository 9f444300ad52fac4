-- doctor/may_write
select true as may
