"""The demonstration: a synthetic census and its job file, so that a newcomer needs no data."""

from kanon_sql.synthetic.census import CENSUS_COLUMNS, census_sql
from kanon_sql.synthetic.job import demo_job

__all__ = ["CENSUS_COLUMNS", "census_sql", "demo_job"]
