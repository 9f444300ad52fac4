-- doctor/may_replace
select true as may
