-- nights/last_group
select
    greatest(
        coalesce((select max(g) from "kanon_ledger"."groups_1_2_members_v7"), 0),
        coalesce((select max(g) from "kanon_ledger"."groups_1_2_labels_v7"), 0)
    ) as last,
    coalesce((select max(case when row_key <> 0 then 1 else 0 end) from "kanon_ledger"."groups_1_2_members_v7"), 0) as several
