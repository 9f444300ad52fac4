-- doctor/space
select null as source_bytes
