-- onboarding/quantiles
select
    min(value) as cut
from (
    select
        value,
        ((sum(n) over (order by value) - n) * 16 div sum(n) over ()) as part
    from (
        select
            `age` as value,
            count(*) as n
        from `census`.`people`
        where `age` is not null
        group by `age`
    ) as counted
) as parted
where part > 0
group by part
order by cut
