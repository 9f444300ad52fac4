"""The register's revision, and bringing it to this program's. Alembic is imported only when there is something to migrate."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.errors import RegisterError
from kanon_sql.sql import statements
from kanon_sql.sql.register_names import RegisterNames
from kanon_sql.sql.statement import Statement


def migrations_root() -> Path:
    """Where the migrations lie: in the package when installed, beside it in a checkout."""
    packaged = Path(str(files("kanon_sql"))) / "migrations"
    return packaged if packaged.is_dir() else packaged.parent.parent / "migrations"


def known_revisions(root: Path | None = None) -> list[str]:
    """The revisions this program knows, oldest first, by their files' names (0001_what.py): no import, no parsing."""
    versions = (root or migrations_root()) / "versions"
    return sorted(path.name.split("_", 1)[0] for path in versions.glob("[0-9]*_*.py"))


def revision_of(backend: Backend, names: RegisterNames) -> str | None:
    """The revision the register is at; None when there is none yet."""
    if not backend.exists(names.version):
        return None
    rows = backend.fetch(statements.register.revision(backend.dialect, names))
    if len(rows) != 1:
        raise RegisterError(
            f"the register in schema {names.schema} names {len(rows)} revisions: it is broken",
            f"restore the table {names.version}, or name another schema in register.schema",
        )
    return str(rows[0][0])


def check_revision(revision: str | None, names: RegisterNames, root: Path | None = None) -> list[str]:
    """The revisions still to be applied; a register this program does not know is refused."""
    known = known_revisions(root)
    if revision is None:
        return known
    if revision in known:
        return known[known.index(revision) + 1 :]
    if revision > known[-1]:
        raise RegisterError(
            f"the register in schema {names.schema} is at revision {revision}, newer than this program knows ({known[-1]})",
            "upgrade kanon_sql to the version that wrote it; nothing was changed",
        )
    raise RegisterError(
        f"the register in schema {names.schema} is at the unknown revision {revision}",
        "another program may have written it: name another schema in register.schema",
    )


def migrate(backend: Backend, names: RegisterNames, root: Path | None = None) -> list[str]:
    """Bring the register to this program's revision in one transaction; returns the revisions applied."""
    if not check_revision(revision_of(backend, names), names, root):
        return []
    with backend.transaction():
        # Two programs may find an old register at once: the second waits here, then finds nothing to do.
        backend.fetch(statements.register.lock(backend.dialect))
        revision = revision_of(backend, names)
        missing = check_revision(revision, names, root)
        if not missing:
            return []
        backend.create_schema(names.schema)
        dialect = backend.dialect
        place = dialect.relation(names.place)
        script = _compiled(dialect.name, place, names.version.name, revision, tuple(missing), root or migrations_root())
        for number, sql in enumerate(script, 1):
            backend.execute(Statement(f"register/migrate_{number}", sql))
    return missing


@cache
def _compiled(
    dialect: str, place: str, table: str, revision: str | None, missing: tuple[str, ...], root: Path
) -> tuple[str, ...]:
    """The statements that lead from a revision over the missing ones to the newest, compiled by Alembic: once, for it takes a while."""
    from alembic import command
    from alembic.config import Config
    from sqlalchemy.sql.elements import quoted_name

    buffer = StatementBuffer()
    config = Config()
    config.set_main_option("script_location", str(root).replace("%", "%%"))
    config.attributes.update(
        dialect_name="postgresql+psycopg" if dialect == "postgresql" else dialect,
        # Quoted already, with its catalog: a DuckDB file named like the schema would be ambiguous otherwise.
        schema=quoted_name(place, quote=False),
        version_table=table,
        statements=buffer,
    )
    command.upgrade(config, f"{revision}:head" if revision else "head", sql=True)
    return tuple(buffer.statements)


class StatementBuffer:
    """Alembic writes one statement at a time: keep them apart, and leave transactions to the caller."""

    def __init__(self) -> None:
        self.statements: list[str] = []

    def write(self, text: str) -> None:
        sql = text.strip().rstrip(";").strip()
        if sql and not sql.startswith("--") and sql.upper() not in ("BEGIN", "COMMIT", "BEGIN TRANSACTION"):
            self.statements.append(sql)

    def flush(self) -> None:
        return None
