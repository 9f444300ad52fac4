-- ledger/clear
delete from "kanon_ledger"."people_0123456789ab"
