"""The exact rights a job needs on PostgreSQL, as a script for whoever may grant them: read the source, own four schemas, nothing else."""

from __future__ import annotations

import configparser
import os
from contextlib import suppress
from pathlib import Path

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.model.names import split_name
from kanon_sql.release.ledger import SCHEMA as LEDGER_SCHEMA
from kanon_sql.sql.dialects.postgres import PostgresDialect


def grants_script(job: Job, role: str | None = None, readers: tuple[str, ...] = ()) -> list[str]:
    """The script, one statement per entry; `role` is the URL's user unless given, `readers` may read what is published."""
    import sqlalchemy

    if not job.url.lower().startswith("postgres"):
        return ["-- an embedded database has no grants: the run's user reads and writes its file and its folder"]
    url = sqlalchemy.make_url(job.url)
    service = _service(url.query.get("service") or os.environ.get("PGSERVICE"))
    role = role or url.username or _one(url.query.get("user")) or service.get("user") or os.environ.get("PGUSER")
    database = url.database or _one(url.query.get("dbname")) or service.get("dbname") or os.environ.get("PGDATABASE")
    if role is None:
        raise JobError("source.url names no user", "name the role with --role")
    quoted = PostgresDialect().identifier
    who = quoted(role)
    schemas = [job.source.work_schema]
    elsewhere = job.register_at.url is not None and job.register_at.url != job.url
    if not elsewhere:
        schemas.append(job.register_at.schema_name)
    if job.publish is not None:
        parts = split_name(job.publish.table)
        schemas.append(parts[-2] if len(parts) > 1 else "public")
        if job.source.person is not None and job.publish.guard != "never":
            schemas.append(LEDGER_SCHEMA)
    script = [f"grant connect on database {quoted(database)} to {who}"] if database else []
    for name in _sources(job):
        *schema, table = split_name(name)
        place = quoted(schema[-1] if schema else "public")
        script += [f"grant usage on schema {place} to {who}", f"grant select on {place}.{quoted(table)} to {who}"]
    for name in dict.fromkeys(schemas):
        if name == "public":
            script.append(f"grant usage, create on schema public to {who}")
        else:
            script.append(f"create schema if not exists {quoted(name)} authorization {who}")
    if job.publish is not None:
        place = quoted(split_name(job.publish.table)[-2] if "." in job.publish.table else "public")
        # SELECT on the view comes with the run that makes it (publish.readers).
        for reader in dict.fromkeys((*readers, *job.publish.readers)):
            script.append(f"grant usage on schema {place} to {quoted(reader)}")
    if elsewhere:
        schema_name = quoted(job.register_at.schema_name)
        script.append(f"-- in the register's database: create schema if not exists {schema_name} authorization {who}")
    return list(dict.fromkeys(script))


def _one(value: str | tuple[str, ...] | None) -> str | None:
    return value[0] if isinstance(value, tuple) else value


def _service(name: str | tuple[str, ...] | None) -> dict[str, str]:
    """What libpq's service file says of a connection; nothing where there is none."""
    if (section := _one(name)) is None:
        return {}
    files = [os.environ.get("PGSERVICEFILE") or Path.home() / ".pg_service.conf"]
    if "PGSYSCONFDIR" in os.environ:
        files.append(Path(os.environ["PGSYSCONFDIR"]) / "pg_service.conf")
    for file in files:
        services = configparser.ConfigParser(interpolation=None, strict=False)
        with suppress(OSError, configparser.Error, UnicodeDecodeError):
            services.read_string(Path(file).read_text(encoding="utf-8"))
            if services.has_section(section):
                return dict(services[section])
    return {}


def _sources(job: Job) -> list[str]:
    population = getattr(job.privacy, "population", None)
    named = [job.source.table, getattr(population, "table", population)]
    return [name for name in named if isinstance(name, str)]
