-- doctor/time_zone
select current_timezone() as time_zone
