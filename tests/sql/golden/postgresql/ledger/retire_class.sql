-- ledger/retire_class
delete from "census"."people"
where substr(encode(sha256(convert_to('sa''lt' || cast(coalesce(cast(length(cast("age" as text)) as text) || ':' || cast("age" as text), '-') || coalesce(cast(length(cast("to""wn" as text)) as text) || ':' || cast("to""wn" as text), '-') as text), 'UTF8')), 'hex'), 1, 32) in ('0f1e')
