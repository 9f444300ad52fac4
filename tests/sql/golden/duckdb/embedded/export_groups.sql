-- embedded/export_groups
copy (
    select rid, g
    from "kanon_work"."r1_assignment"
) to 'f' (format csv, header false)
