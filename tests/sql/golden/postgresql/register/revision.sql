-- register/revision
select version_num
from "kanon"."register_version"
