"""Tables as they are published and as they are read: views that put one value for all that equal it, or the text that a reader sees.

Both are the table itself where every type prints equal values the same, which is nearly always: then nothing is made and nothing is slower.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.config.schema import Job
from kanon_sql.errors import ColumnError, KanonError
from kanon_sql.model.forms import Form
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect, Relation

if TYPE_CHECKING:
    from kanon_sql.workbench.workbench import Workbench

Values = list[tuple[str, str]]
"""(name, expression) of every column."""
UNCOUNTABLE = (Form.TEXT, Form.COLLATED)
"""A person under two spellings that the engine takes for one would be counted as two."""


def check_types(job: Job, columns: Sequence[ColumnInfo]) -> None:
    """Refuse types that a role cannot have, before anything is done."""
    for column in columns:
        entry = job.columns.get(column.name)
        if column.kind == "ungroupable" and (entry is None or entry.role in ("quasi", "sensitive", "keep")):
            raise ColumnError(
                f"columns.{column.name}: a column of type {column.type_name} cannot be read as text",
                "give it the role drop, or cast it in a view",
            )
        if column.name == job.source.person:
            check_person(column, "source.person")


def check_person(column: ColumnInfo, key: str) -> None:
    """Refuse a person key of a type that may spell one person in two ways."""
    if column.form in UNCOUNTABLE:
        raise ColumnError(
            f"{key}: {column.name} is of type {column.type_name}{' with a collation' if column.form is Form.COLLATED else ''}, "
            "which may spell one person in two ways",
            "name a number, a uuid or a plain text, or make one of it in a view, as lower(...)",
        )


def as_published(
    bench: Workbench, relation: Relation, columns: Sequence[ColumnInfo], compared: Collection[str], view: Relation
) -> tuple[Relation, list[ColumnInfo], Values]:
    """The relation with one value for all that equal it in the columns that are compared; the others as they may be published.

    Returns it, its columns, and what stands for each column (nothing where it is the relation itself).
    """
    expressions = [_published(bench.dialect, column, column.name in compared, bench.job) for column in columns]
    if not any(expression for expression, _ in expressions):
        return relation, list(columns), []
    values = [
        (column.name, expression or bench.dialect.identifier(column.name))
        for column, (expression, _) in zip(columns, expressions, strict=True)
    ]
    if ("view", view) not in bench.made:
        bench.make_view(view, statements.levels.columns_view(bench.dialect, view, relation, values))
    return view, [after for _, after in expressions], values


def _published(dialect: Dialect, column: ColumnInfo, compared: bool, job: Job) -> tuple[str | None, ColumnInfo]:
    """(the expression that takes the column's place, or none; the column then)."""
    value = dialect.identifier(column.name)
    entry = job.columns.get(column.name)
    role = entry.role if entry is not None else "drop"
    if compared:
        expression = dialect.published(value, column.form, column.base)
        return None if expression == value else expression, column.as_published
    if role == "identifier" and column.form is Form.TEXT:  # it is only counted
        return dialect.as_text(value), column.as_published
    if role != "keep":
        return None, column
    if column.form is Form.COLLATED or (column.lists_values and column.base is None):
        return dialect.published(value, column.form), column.as_published
    if column.base is not None:
        return f"cast({value} as {column.base})", column
    return None, column


def as_read(bench: Workbench, relation: Relation, what: str, *, labels: bool = False) -> Relation:
    """The relation with every column as a reader reads it: values that print differently are different.

    `labels`: its quasi-identifiers as labels, whatever types it has: a release may have been made when a column was a number.
    """
    columns = bench.columns if relation == bench.source else bench.backend.describe(relation)
    labelled = {column.name for column in columns if labels and _becomes_label(bench.job, column)}
    if not labelled and all(column.form is Form.SAME for column in columns):
        return relation
    view = bench.backend.scratch(bench.names.as_read(what))
    if ("view", view) not in bench.made:
        shown = [
            (
                column.name,
                bench.dialect.printed(bench.dialect.identifier(column.name), column.kind)
                if column.name in labelled
                else _read(bench, column, relation == bench.source),
            )
            for column in columns
        ]
        bench.make_view(view, statements.levels.columns_view(bench.dialect, view, relation, shown))
    return view


def _becomes_label(job: Job, column: ColumnInfo) -> bool:
    entry = job.columns.get(column.name)
    is_quasi = entry is not None and entry.role == "quasi"
    return is_quasi and column.kind != "text" and column.form not in UNCOUNTABLE


def _read(bench: Workbench, column: ColumnInfo, published: bool) -> str:
    value = bench.dialect.identifier(column.name)
    entry = bench.job.columns.get(column.name)
    if not published and column.name == bench.job.source.person and (entry is None or entry.role != "quasi"):
        return bench.dialect.published(value, column.form, column.base)  # a person is one, however it is written
    return bench.dialect.read(value, column.form)


@contextmanager
def reading(bench: Workbench, relation: Relation, what: str) -> Iterator[Relation]:
    """As `as_read`, with labels, for as long as the relation keeps its name: a view would hold on to it."""
    read = as_read(bench, relation, what, labels=True)
    try:
        yield read
    finally:
        if read != relation:
            with suppress(KanonError):  # what failed may have ended the transaction, and the view with it
                bench.drop_view(read)
