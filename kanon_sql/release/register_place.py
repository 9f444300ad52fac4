"""Where the register of a job lies: in the source's own database, or in another that the job names."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import duckdb_path, open_backend
from kanon_sql.backends.spark_url import parse_spark_url
from kanon_sql.config.schema import Job
from kanon_sql.config.secrets import secrets_of_url
from kanon_sql.release.entries import job_secrets
from kanon_sql.release.register import Register


def open_register(job: Job, backend: Backend, *, read_only: bool = False) -> Register:
    """The register of a job: on `backend` (the source's) unless the job keeps it elsewhere, else on a connection of its own.

    It is made or migrated, unless it is only to be read.
    """
    at = job.register_at
    secrets = job_secrets(job)
    if at.url is None or same_database(at.url, job.url, job.base):
        register = Register(backend, at.schema_name, secrets=secrets)
    else:
        own = open_backend(at.url, job.base, read_only=read_only)
        own.trace = backend.trace  # one trace tells of the whole run
        register = Register(own, at.schema_name, own=True, secrets=secrets)
    register.database = database_of(job)
    if not read_only:
        try:
            register.ensure()
            register.engine = backend.version()
        except BaseException:
            register.close()
            raise
    return register


def register_at(url: str, schema: str, base: Path, *, read_only: bool) -> Register:
    """The register in a database, on a connection of its own."""
    return Register(open_backend(url, base, read_only=read_only), schema, own=True, secrets=secrets_of_url(url))


def database_of(job: Job) -> str | None:
    """The database of a job as its register knows it; none where the register lives there itself, wherever that is moved."""
    at = job.register_at.url
    if at is None or same_database(at, job.url, job.base):
        return None
    scheme = job.url.split(":", 1)[0].lower()
    if scheme == "duckdb":
        return f"duckdb {duckdb_path(job.url, job.base)}"
    if scheme.startswith("postgres"):
        place = urlsplit(job.url)
        return f"postgresql {(place.hostname or '').lower()}:{place.port or 5432}{place.path}"
    if scheme == "spark":
        return f"spark {parse_spark_url(job.url, job.base).warehouse}"
    place = urlsplit(job.url)
    return f"{scheme} {place.netloc.rpartition('@')[2]}{place.path}"


def same_database(one: str, other: str, base: Path) -> bool:
    """Whether two URLs mean one database: a DuckDB file can be attached only once."""
    one, other = (re.sub(r"^postgres(ql)?(\+\w+)?://", "postgresql://", url) for url in (one, other))
    if one == other:
        return True
    if one.lower().startswith("duckdb:") and other.lower().startswith("duckdb:"):
        path = duckdb_path(one, base)
        return path is not None and path == duckdb_path(other, base)
    return False
