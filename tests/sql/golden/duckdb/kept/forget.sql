-- kept/forget
delete from "kanon_work"."kept_1_2"
where part in (1, 2)
