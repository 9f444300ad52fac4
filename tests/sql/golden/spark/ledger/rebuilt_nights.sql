-- ledger/rebuilt_nights
create table `census`.`people` as
select
    cast(1 as bigint) as sequence,
    'rel.t' as job,
    cast(1 as bigint) as version,
    '0f' as recoding,
    'ab' as salt_digest,
    cast(9 as bigint) as entries,
    '12' as checksum,
    0 as several,
    'night' as how
union all
select
    cast(2 as bigint) as sequence,
    'rel.t' as job,
    cast(2 as bigint) as version,
    '0f' as recoding,
    'ab' as salt_digest,
    cast(9 as bigint) as entries,
    '12' as checksum,
    0 as several,
    'night' as how
