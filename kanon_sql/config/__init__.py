"""The job file: its schema, its reading, the hierarchy files it names."""

from kanon_sql.config.load import load_job, parse_job
from kanon_sql.config.schema import Job, job_schema

__all__ = ["Job", "job_schema", "load_job", "parse_job"]
