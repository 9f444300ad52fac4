-- ledger/known_nights
select
    sequence,
    job,
    version,
    recoding,
    salt_digest,
    entries,
    checksum,
    several,
    how
from `kanon_ledger`.`nights_0123456789ab`
order by sequence
