-- doctor/time_zone
select current_setting('TimeZone') as time_zone
