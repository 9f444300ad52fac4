-- cluster/moving/delete_rows
delete from "kanon_work"."r1_boxes"
where g in (
    select g
    from "kanon_work"."r1_touched_groups"
)
