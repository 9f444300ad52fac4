-- ledger/retire_class
delete from "census"."people"
where substr(sha256('sa''lt' || cast(coalesce(cast(length(cast("age" as varchar)) as varchar) || ':' || cast("age" as varchar), '-') || coalesce(cast(length(cast("to""wn" as varchar)) as varchar) || ':' || cast("to""wn" as varchar), '-') as varchar)), 1, 32) in ('0f1e')
