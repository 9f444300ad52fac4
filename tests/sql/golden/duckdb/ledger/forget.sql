-- ledger/forget
delete from "kanon_ledger"."memberships"
where job = 'release.people'
    and version not in (6, 7)
