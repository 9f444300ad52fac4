-- cluster/cutting/cut_counts
select
    (select count(*) from "kanon_work"."r1_open_rows") as open_rows,
    (select count(*) from "kanon_work"."r1_side_sizes") as sides
