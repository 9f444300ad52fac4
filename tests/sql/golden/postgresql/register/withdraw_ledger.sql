-- register/withdraw_ledger
delete from "kanon"."ledgers"
where run = 'r1'
