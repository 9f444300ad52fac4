-- ledger/forget_person
delete from "kanon_ledger"."people_0123456789ab"
where person_key = cast('0x' || left(sha256('sa''lt' || cast('o''neil' as varchar)), 15) as bigint)
