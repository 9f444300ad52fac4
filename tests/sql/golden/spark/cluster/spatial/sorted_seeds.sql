-- cluster/spatial/sorted_seeds
insert into `kanon_work`.`r1_grown`
select
    free.block,
    3 as turn,
    1 as n,
    free.rid as g,
    free.rid
    , free.a0 as lo0
    , free.a0 as hi0
    , free.a1 as lo1
    , free.a1 as hi1
    , free.m0 as b0
    , free.a0 as sum0

from `kanon_work`.`r1_free_rows` as free
join (
    select
        block,
        min(c1 * 4294967296 + rid) % 4294967296 as rid
    from `kanon_work`.`r1_free_rows`
    group by block
    having count(*) >= 5
) as chosen on chosen.block = free.block and chosen.rid = free.rid
