-- register/forget_frontier
delete from "kanon"."frontiers"
where run = 'r1'
