-- cluster/merging/merge_counts
select
    (select count(*) from `kanon_work`.`r1_chosen_moves`) as mergers,
    (select count(*) from `kanon_work`.`r1_clusters`) as clusters,
    (select count(*) from `kanon_work`.`r1_clusters` where n < 5) as small
