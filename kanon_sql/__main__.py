"""python -m kanon_sql is `kanon`."""

from kanon_sql.cli import process

process()
