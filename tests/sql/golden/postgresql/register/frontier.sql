-- register/frontier
select frontier
from "kanon"."frontiers"
where run = 'r1'
