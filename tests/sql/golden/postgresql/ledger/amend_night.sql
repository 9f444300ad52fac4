-- ledger/amend_night
update "kanon_ledger"."nights_0123456789ab"
set
    entries = 99,
    checksum = '123'
where sequence = 7
