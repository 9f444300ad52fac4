-- cluster/growing/growing_counts
select
    (select count(*) from `kanon_work`.`r1_grown` where turn = 3 and n = 1) as begun,
    (select count(*) from `kanon_work`.`r1_free_rows`) as free_rows
