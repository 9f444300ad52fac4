-- checks/published_levels
with published as (
    select distinct cast(`race` as string) as label
    from `release`.`people__v1`
    where `race` is not null
)
select
    0 as level,
    (
        select count(*)
        from published
        where label not in (select label_0 from `kanon_work`.`r1_dictionary_5` where label_0 is not null)
    ) as unknown,
    (
        select coalesce(sum(n), 0)
        from `kanon_work`.`r1_dictionary_5`
        where label_0 in (select label from published)
    ) as matched
union all
select
    1 as level,
    (
        select count(*)
        from published
        where label not in (select label_1 from `kanon_work`.`r1_dictionary_5` where label_1 is not null)
    ) as unknown,
    (
        select coalesce(sum(n), 0)
        from `kanon_work`.`r1_dictionary_5`
        where label_1 in (select label from published)
    ) as matched
union all
select
    2 as level,
    (select count(*) from published where label <> '*') as unknown,
    (select case when exists (select 1 from published where label = '*') then (select coalesce(sum(n), 0) from `kanon_work`.`r1_dictionary_5`) else 0 end) as matched
