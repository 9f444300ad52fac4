"""kanon emit: the chosen recoding as one standalone SQL statement, or as a dbt model with its tests."""

from __future__ import annotations

from dataclasses import field
from pathlib import Path
from typing import Any

from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError
from kanon_sql.flows.plan import choose_recoding
from kanon_sql.flows.session import reading, register_of
from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import meaning
from kanon_sql.model.published_type import STORED
from kanon_sql.observer import Observer
from kanon_sql.release.dbt_model import DbtModel, source_reference
from kanon_sql.release.emit import recoding_statement
from kanon_sql.release.previous_release import previous_release, recipe_of
from kanon_sql.release.recoding import GlobalRecoding
from kanon_sql.workbench.workbench import Workbench, published_columns

TRANSPILED = ("snowflake", "bigquery", "redshift", "tsql", "databricks")
"""Dialects the statement can be translated to; no engine of ours runs them."""
FORMATS = ("sql", "dbt")


@dataclass(frozen=True)
class Emitted:
    """The recoding: its node, where it came from, the statement, and with dbt the files of the model."""

    node: dict[str, int]
    origin: str
    dialect: str
    sql: str
    files: dict[str, str] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        return {
            "node": self.node,
            "origin": self.origin,
            "dialect": self.dialect,
            "sql": self.sql,
            "files": self.files,
        }

    def write(self, out: Path) -> list[Path]:
        """Write the statement to a file, or the model's files under a folder."""
        if not self.files:
            out.parent.mkdir(parents=True, exist_ok=True)
            out.write_text(self.sql + ";\n", encoding="utf-8")
            return [out]
        written = []
        for name, text in self.files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            written.append(path)
        return written


def emit(job: Job, observer: Observer | None = None, *, dialect: str | None = None, format: str = "sql") -> Emitted:
    """The recoding of the current release, while the job still means the same by it; else the one a search finds now."""
    observer = observer or Observer()
    if format not in FORMATS:
        raise JobError(f"there is no format {format}", f"formats are {', '.join(FORMATS)}")
    if dialect is not None and dialect not in TRANSPILED:
        raise JobError(
            f"cannot write the dialect {dialect}", f"dialects are {', '.join(TRANSPILED)}, or the engine's own"
        )
    if job.search.algorithm in LOCAL_RECODINGS:  # said before anything is searched
        raise JobError(
            "groups of rows are no function of a row's values, so no statement can say them",
            "`kanon export JOB` writes the release; or choose a lattice search with --set search.algorithm=best-first",
        )
    with reading(job, observer) as bench:
        observer.step("reading the table")
        bench.prepare(searches=True)
        node, origin, withheld = _node(bench, observer)
        source = source_reference(job) if format == "dbt" else None
        statement = recoding_statement(bench, node, source, withheld)
        if withheld:
            observer.note(
                f"the release withholds {counted(withheld, 'row')} for the sake of earlier releases; a statement cannot: "
                "what it gives is for people who may see them"
            )
        engine = bench.dialect.name
        described = bench.lattice.describe(node)
        files = {}
        if format == "dbt":
            published = published_columns(job, bench.columns)
            pairs = zip(bench.attributes, node, strict=True)
            meanings = {attribute.name: meaning(attribute.levels[level]) for attribute, level in pairs}
            types = {a.name: bench.dialect.types[a.published_as] for a in bench.attributes if a.published_as != STORED}
            files = DbtModel(job, statement.sql, published, meanings, types).files()
    sql = statement.sql if dialect is None else _translated(statement.sql, engine, dialect)
    return Emitted(described, origin, dialect or engine, sql, files)


def _node(bench: Workbench, observer: Observer) -> tuple[Node, str, int]:
    """The node, where it comes from, and the rows that the release withholds beside it."""
    job = bench.job
    if job.publish is not None:
        with register_of(job, observer) as register:
            previous = previous_release(register, job.name) if register.readable() else None
        node = previous.node_for(bench, recipe_of(bench)) if previous is not None else None
        if previous is not None and node is not None:
            withheld = int(previous.figure("withheld") or 0)
            return node, f"version {previous.release.version}, the current release", withheld
    chosen = choose_recoding(bench, observer).recoding
    assert isinstance(chosen, GlobalRecoding)
    return chosen.node, f"a search now ({job.search.algorithm})", 0


def _translated(sql: str, engine: str, dialect: str) -> str:
    """The statement in another dialect, by sqlglot; it says of itself that nobody ran it."""
    try:
        import sqlglot
    except ImportError as error:
        raise JobError("other dialects need sqlglot", "pip install 'kanon-sql[emit]'") from error
    own = "postgres" if engine == "postgresql" else engine
    written = sqlglot.transpile(sql, read=own, write=dialect, pretty=True)[0]
    return f"-- translated from {own} to {dialect}, and never run there: review it before use\n{written}"
