-- cluster/halving/first_seeds
create table `kanon_work`.`r1_made` as
select
    open.g,
    open.rid
    , open.a0 as lo0
    , open.a0 as hi0
    , open.a1 as lo1
    , open.a1 as hi1
    , open.m0 as b0

from `kanon_work`.`r1_open_rows` as open
join (
    select
        g,
        min((rid + 7) * 2654435761 % 2147483647 * 4294967296 + rid) % 4294967296 as rid
    from `kanon_work`.`r1_open_rows`
    group by g
) as chosen on chosen.g = open.g and chosen.rid = open.rid
