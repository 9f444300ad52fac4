-- cluster/blanking/settled_blanks
create table `kanon_work`.`r1_made` as
with whole as (
    select
        g,
case when blanked0 > 0 and (blanked0 < 5 or n - blanked0 < 5) then 1 else 0 end + case when blanked1 > 0 and (blanked1 < 5 or n - blanked1 < 5) then 2 else 0 end + case when blanked2 > 0 and (blanked2 < 5 or n - blanked2 < 5) then 4 else 0 end as mask
    from (
        select
            g,
            count(*) as n
            , sum(case when mask & 1 <> 0 then 1 else 0 end) as blanked0
            , sum(case when mask & 2 <> 0 then 1 else 0 end) as blanked1
            , sum(case when mask & 4 <> 0 then 1 else 0 end) as blanked2
        from `kanon_work`.`r1_blanks`
        group by g
    ) as counted
),
settled as (
    select
        blanks.rid,
        blanks.g,
        blanks.mask | cast(whole.mask as bigint) as mask
    from `kanon_work`.`r1_blanks` as blanks
    join whole on whole.g = blanks.g
),
joined as (
    select
        g,
        bit_or(mask) as mask
    from (
        select
            g,
            mask,
            count(*) as n
        from settled
        group by g, mask
    ) as alike
    group by g
    having min(n) < 5
)
select
    settled.rid,
    dense_rank() over (order by settled.g, coalesce(joined.mask, settled.mask)) as g,
    coalesce(joined.mask, settled.mask) as mask
from settled
left join joined on joined.g = settled.g
