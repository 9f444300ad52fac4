"""From a table to a drafted job file."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import duckdb_path, open_backend
from kanon_sql.config.secrets import redact_url, secrets_of_url
from kanon_sql.errors import ColumnError, JobError, NoSolution
from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.forms import Form
from kanon_sql.model.names import split_name, written_name
from kanon_sql.onboarding.code_systems import LEAST_CODES, recognise
from kanon_sql.onboarding.job_text import ColumnDraft, Draft
from kanon_sql.onboarding.levels import DATES, NUMERIC, propose_levels
from kanon_sql.onboarding.roles import NOT_RECOGNISED, Guess, guess_roles, is_repeated_key, names_person, words_of
from kanon_sql.onboarding.rules import propose_rules
from kanon_sql.onboarding.singling_out import single_out
from kanon_sql.onboarding.summary import ColumnSummary, TableSummary, common_values, summarize, values_of
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import WorkNames

DEFAULT_K = 5
VALUES_LOOKED_AT = 1000
"""So many values tell whether a column holds codes of a known system."""
LONGEST_CODE = 12
MANY_QUASI_IDENTIFIERS = 30
"""With more, those that were not recognised by name are dropped: k-anonymity over all of them would leave nothing."""


@dataclass(frozen=True)
class Request:
    """What `kanon init` was asked: a table in a database, or a file; and where the job file will lie."""

    output: Path
    url: str | None = None
    table: str | None = None
    file: Path | None = None
    k: int = DEFAULT_K


def draft_job(request: Request) -> Draft:
    """Read the table and draft its job file."""
    if (request.table is None) == (request.file is None):
        raise JobError("name either --table (with --url) or --file")
    if request.table is not None and request.url is None:
        raise JobError(
            "--table needs --url", "as --url duckdb:///census.duckdb or postgresql+psycopg://user@host/database"
        )
    url = "duckdb:///:memory:" if request.file is not None else str(request.url)
    backend = open_backend(url, Path.cwd(), read_only=request.file is None)
    try:
        return _drafted(backend, request)
    finally:
        backend.close()


def _drafted(backend: Backend, request: Request) -> Draft:
    source = _source(backend, request)
    columns = backend.describe(source)
    if not columns:
        raise ColumnError(f"there is no table or view {request.table}", "write schema.table, as the database spells it")
    table = summarize(backend, source, columns)
    if table.rows < 2:
        raise NoSolution(
            f"the table has {counted(table.rows, 'row')}: there is nothing to guess from, and nothing to release"
        )
    k = min(request.k, table.rows)
    looks = {
        column.name: values_of(backend, source, column.name, VALUES_LOOKED_AT)
        for column in table.columns
        if column.kind == "text" and column.distinct >= LEAST_CODES and (column.longest or 0) <= LONGEST_CODE
    }
    guesses = guess_roles(table.columns, looks)
    if not any(guess.role == "quasi" for guess in guesses.values()):
        guesses = _with_a_quasi_identifier(table, guesses)
    guesses = _without_a_crowd(guesses)
    person = _person(table, guesses)
    quasi = [column for column in table.columns if guesses[column.name].role == "quasi"]
    known = [c.name for c in table.columns if guesses[c.name].role == "quasi"]
    singling = single_out(backend, source, known, table.rows)
    values = common_values(backend, source, quasi, k, person)
    drafts = [_column(column, guesses[column.name], values.get(column.name, [])) for column in table.columns]
    notes = [] if table.whole else [f"Guessed from {table.rows:,} rows; the table has more."]
    if k < request.k:
        notes.append(f"The table has {counted(table.rows, 'row')} only.")
    entries, source_notes = _source_entries(request)
    if person is not None:
        entries["person"] = person
        source_notes["person"] = (
            "guess: a class's size is its number of persons, and releases are compared person by person"
        )
    name = split_name(request.table)[-1] if request.table is not None else request.file.stem  # type: ignore[union-attr]
    return Draft(
        title=request.table or str(request.file),
        source=entries,
        source_notes=source_notes,
        k=k,
        columns=drafts,
        publish=_publish(request, name),
        file_name=request.output.name,
        notes=notes,
        singling_out=singling,
        code_systems={name: system for name, found in looks.items() if (system := recognise(found)) is not None},
    )


def _source(backend: Backend, request: Request) -> Relation:
    if request.file is None:
        assert request.table is not None
        return backend.relation(request.table)
    from kanon_sql.backends.duckdb_files import file_relation
    from kanon_sql.sql.dialects.duckdb import DuckDBDialect

    path = request.file.resolve()
    if not path.exists():
        raise JobError(f"there is no file {request.file}")
    assert isinstance(backend.dialect, DuckDBDialect)
    view = WorkNames(backend.work_schema, "init").source
    backend.execute(statements.levels.source_view(backend.dialect, view, file_relation(path, {}, backend.dialect)))
    return view


def _source_entries(request: Request) -> tuple[dict[str, str], dict[str, str]]:
    """The source section: paths relative to the job file, and no password."""
    folder = request.output.resolve().parent
    entries: dict[str, str] = {}
    notes: dict[str, str] = {}
    if request.url is not None:
        entries["url"] = _url(request.url, folder)
        if entries["url"] == "${KANON_URL}":
            notes["url"] = f"export KANON_URL; it was {redact_url(request.url)}"
    if request.file is not None:
        entries["file"] = os.path.relpath(request.file.resolve(), folder)
    else:
        assert request.table is not None
        entries["table"] = request.table
    return entries, notes


def _url(url: str, folder: Path) -> str:
    if secrets_of_url(url) or redact_url(url) != url:
        return "${KANON_URL}"
    if not url.lower().startswith("duckdb:"):
        return url
    path = duckdb_path(url, Path.cwd())
    return url if path is None else f"duckdb:///{os.path.relpath(path, folder)}"


def _publish(request: Request, name: str) -> str:
    """A view in a schema of its own, never the source itself."""
    parts = split_name(request.table) if request.table is not None else ()
    schema = "release" if len(parts) < 2 or parts[-2] != "release" else "anonymous"
    return written_name((schema, name))


def _person(table: TableSummary, guesses: dict[str, Guess]) -> str | None:
    """The person key: one that every row has for itself, else the one with most values of those that repeat; where none is known by
    its name and every identifier repeats, the first of them, without which a run would publish nothing."""
    identifiers = [column for column in table.columns if guesses[column.name].role == "identifier"]
    usable = [  # others a run would refuse
        column for column in identifiers if column.info.form not in (Form.TEXT, Form.COLLATED)
    ]
    keys = [column for column in usable if names_person(words_of(column.name)) or is_repeated_key(column)]
    if keys:
        return max(keys, key=lambda column: (column.unique, column.distinct)).name
    if any(column.unique for column in identifiers):
        return None
    return next((column.name for column in usable if column.distinct < column.values), None)


def _with_a_quasi_identifier(table: TableSummary, guesses: dict[str, Guess]) -> dict[str, Guess]:
    """A job needs one: the column whose values repeat most, of those that can be grouped."""
    usable = [column for column in table.columns if column.kind != "ungroupable"]
    if not usable:
        raise ColumnError("no column of the table can be grouped", "cast them in a view")
    chosen = min(usable, key=lambda column: (guesses[column.name].role == "identifier", column.distinct))
    return guesses | {chosen.name: Guess("quasi", "no column looks like a quasi-identifier; a job needs one")}


def _without_a_crowd(guesses: dict[str, Guess]) -> dict[str, Guess]:
    quasi = [name for name, guess in guesses.items() if guess.role == "quasi"]
    if len(quasi) <= MANY_QUASI_IDENTIFIERS:
        return guesses
    recognised = [name for name in quasi if not guesses[name].why.startswith(NOT_RECOGNISED)]
    kept = set([*recognised, *quasi][:MANY_QUASI_IDENTIFIERS])
    why = f"one of {len(quasi)} columns that others may know: too many to generalise together"
    return {name: Guess("drop", why) if name in quasi and name not in kept else g for name, g in guesses.items()}


def _column(column: ColumnSummary, guess: Guess, values: Sequence[str]) -> ColumnDraft:
    if guess.role != "quasi":
        return ColumnDraft(column.name, guess)
    kind = "numeric" if column.kind in NUMERIC else "date" if column.kind in DATES else None
    levels = propose_levels(column)
    note = "guess: widths, parts or prefixes that nest"
    if len(levels) == 1:
        note = '`groups` or a `hierarchy` between the value and "*" would keep more' if column.distinct > 2 else ""
    return ColumnDraft(column.name, guess, kind, levels, values, propose_rules(column, values), note=note)
