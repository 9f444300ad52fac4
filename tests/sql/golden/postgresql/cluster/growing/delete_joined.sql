-- cluster/growing/delete_joined
delete from "kanon_work"."r1_free_rows"
where rid in (
    select rid
    from "kanon_work"."r1_grown"
    where turn = 3 and n = 2
)
