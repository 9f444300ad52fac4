-- ledger/forget_person
delete from "kanon_ledger"."people_0123456789ab"
where person_key = cast(cast('x0' || substr(encode(substr(sha256(convert_to('sa''lt' || cast('o''neil' as text), 'UTF8')), 1, 8), 'hex'), 1, 15) as bit(64)) as bigint)
