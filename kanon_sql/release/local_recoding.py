"""Local recoding: every row as its group publishes it. Source rows have no id; equal rows are dealt out to groups in a fixed order."""

from __future__ import annotations

from dataclasses import dataclass

from kanon_sql.errors import ColumnError
from kanon_sql.sql import group_statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.coding import is_range
from kanon_sql.workbench.workbench import Workbench, published_columns


@dataclass(frozen=True)
class LocalRecoding:
    """The groups of a search: the units, the assignment, and what each group publishes."""

    units: Relation
    assign: Relation
    labels: Relation

    def stage(self, bench: Workbench, table: Relation) -> None:
        dialect = bench.dialect
        kinds = {column.name: column.kind for column in bench.columns}
        quasi = {attribute.name: i for i, attribute in enumerate(bench.attributes)}
        columns: list[tuple[str, str]] = []
        order: list[str] = []
        beside: list[str] = []
        for name in published_columns(bench.job, bench.columns):
            if name in quasi:
                for expression, shown, kind in self._published(bench, quasi[name]):
                    columns.append((expression, shown))
                    order.append(dialect.ordered(expression, kind))
                continue
            expression = f"rows.{dialect.identifier(name)}"
            columns.append((expression, name))
            if kinds[name] != "ungroupable":
                beside.append(dialect.ordered(expression, kinds[name]))
        numbering = [
            dialect.ordered(f"rows.{dialect.identifier(name)}", kinds[name])
            for name in (*bench.sensitive, *self._person(bench))
        ]
        numbering += [expression for expression in beside if expression not in numbering]
        bench.backend.execute(
            group_statements.stage_groups(
                dialect,
                table,
                bench.coded_view(),
                self.units,
                self.assign,
                self.labels,
                [(f"{bench.code_prefix}q{i}_0", f"q{i}_0") for i in range(len(bench.attributes))],
                numbering or ["1"],
                columns,
                [*order, *beside],
                f"{bench.code_prefix}place",
            )
        )

    def _person(self, bench: Workbench) -> list[str]:
        person = bench.job.source.person
        return [person] if bench.counts_persons and person is not None else []

    def _published(self, bench: Workbench, index: int) -> list[tuple[str, str, str]]:
        """(expression, published name, kind) of an attribute: its text, its ends, or both."""
        name = bench.attributes[index].name
        text = (f"labels.label_{index}", name, "text")
        how = bench.job.publish.intervals if bench.job.publish is not None else "text"
        if how == "text" or not is_range(bench, index):
            return [text]
        ends = [
            (f"labels.{end}_{index}", f"{name}_{short}", "number") for end, short in (("low", "lo"), ("high", "hi"))
        ]
        taken = {column.name.lower() for column in bench.columns}
        for _, shown, _ in ends:
            if shown.lower() in taken:
                raise ColumnError(
                    f"publish.intervals: the table has a column {shown} already",
                    "publish intervals as text, or rename it",
                )
        return ends if how == "typed" else [text, *ends]

    def quasi_columns(self, bench: Workbench) -> list[str]:
        return [shown for index in range(len(bench.attributes)) for _, shown, _ in self._published(bench, index)]
