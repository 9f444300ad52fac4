-- levels/columns_view
create view `kanon_work`.`r1_published` as
select
    `same` as `same`,
    case when isnan(`float`) then cast('NaN' as double) else `float` + cast(0 as double) end as `float`,
    case when isnan(cast(cast(`real` as string) as double)) then cast('NaN' as double) else cast(cast(`real` as string) as double) + cast(0 as double) end as `real`,
    cast(`scaled` as numeric) as `scaled`,
    collate(`collated`, 'UTF8_BINARY') as `collated`,
    cast(`text` as string) as `text`,
    `same` as `read_same`,
    cast(`float` as string) as `read_float`,
    cast(`real` as string) as `read_real`,
    cast(`scaled` as string) as `read_scaled`,
    collate(`collated`, 'UTF8_BINARY') as `read_collated`,
    cast(`text` as string) as `read_text`
from `census`.`people`
