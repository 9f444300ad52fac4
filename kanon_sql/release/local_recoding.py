"""Local recoding: every row as its group publishes it. Source rows have no id; equal rows are dealt out to groups in a fixed order."""

from __future__ import annotations

from kanon_sql.errors import ColumnError
from kanon_sql.frozen import dataclass
from kanon_sql.release.recoding import StagedPersons
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.coding import is_range, make_units
from kanon_sql.workbench.workbench import Workbench, published_columns


@dataclass(frozen=True)
class LocalRecoding:
    """The groups of a search: the units, the assignment, and what each group publishes; `kept`: from night to night."""

    units: Relation
    assign: Relation
    labels: Relation
    kept: bool = False

    def prepare(self, bench: Workbench) -> None:
        """Where the job names a person key, the rows are first written down with their persons, which is what is verified."""
        staged_persons = self.staged_persons(bench)
        if staged_persons is not None and ("table", bench.names.staged_persons) not in bench.made:
            bench.make_table(
                bench.names.staged_persons, self._staging(bench, bench.names.staged_persons, staged_persons)[0]
            )
        elif staged_persons is None:
            bench.coded_view()
            if self.units == bench.names.units and not bench.backend.capabilities.meets_rows_by_number:
                make_units(bench)

    def stage(self, bench: Workbench, table: Relation) -> None:
        self.prepare(bench)
        staged_persons = self.staged_persons(bench)
        statement, names = self._staging(bench, table, staged_persons)
        if staged_persons is not None:
            statement = statements.release.stage_without_persons(bench.dialect, table, staged_persons.table, names)
        bench.backend.execute(statement)

    def _staging(
        self, bench: Workbench, table: Relation, staged_persons: StagedPersons | None
    ) -> tuple[Statement, list[str]]:
        """The statement that deals the rows out to their groups, and what it publishes."""
        dialect = bench.dialect
        described = {column.name: column for column in bench.columns}
        quasi = {attribute.name: i for i, attribute in enumerate(bench.attributes)}
        columns: list[tuple[str, str]] = []
        beside: list[str] = []
        for name in published_columns(bench.job, bench.columns):
            if name in quasi:
                columns += self._published(bench, quasi[name])
                continue
            expression = f"rows.{dialect.identifier(name)}"
            columns.append((expression, name))
            beside.append(dialect.ordered(expression, described[name].ordered_as))
        numbering = [
            dialect.ordered(f"rows.{dialect.identifier(name)}", described[name].ordered_as)
            for name in (*bench.sensitive, *self._person(bench))
        ]
        numbering += [ordered for ordered in beside if ordered not in numbering]
        statement = statements.release.stage_groups(
            dialect,
            table,
            bench.coded_view(),
            self.units,
            self.assign,
            self.labels,
            [(f"{bench.code_prefix}q{i}_0", f"q{i}_0") for i in range(len(bench.attributes))],
            numbering or ["1"],
            [*columns, *(self._accounts(bench, staged_persons) if staged_persons else [])],
            f"{bench.code_prefix}place",
            work=staged_persons is not None,
            several=bench.counts_persons,
            base=bench.names.base,
        )
        return statement, [name for _, name in columns]

    def staged_persons(self, bench: Workbench) -> StagedPersons | None:
        if bench.job.source.person is None:
            return None
        prefix = bench.code_prefix
        return StagedPersons(
            bench.released_account or bench.names.staged_persons,
            f"{prefix}person",
            f"{prefix}row",
            tuple((f"{prefix}raw_{i}", attribute.name) for i, attribute in enumerate(bench.attributes)),
            tuple((f"{prefix}sensitive_{i}", name) for i, name in enumerate(bench.sensitive)),
        )

    def _accounts(self, bench: Workbench, staged_persons: StagedPersons) -> list[tuple[str, str]]:
        """(expression, name) of what the account says beyond what is published."""
        assert bench.job.source.person is not None
        named = ((staged_persons.person, bench.job.source.person), *staged_persons.raw, *staged_persons.sensitive)
        columns = [(f"rows.{bench.dialect.identifier(column)}", name) for name, column in named]
        return [*columns, ("assigned.rid", staged_persons.row)]

    def _person(self, bench: Workbench) -> list[str]:
        person = bench.job.source.person
        return [person] if person is not None else []

    def _published(self, bench: Workbench, index: int) -> list[tuple[str, str]]:
        """(expression, published name) of an attribute: its text, its ends, or both."""
        name = bench.attributes[index].name
        text = (f"labels.label_{index}", name)
        how = bench.job.publish.intervals if bench.job.publish is not None else "text"
        if how == "text" or not is_range(bench, index):
            return [text]
        ends = [(f"labels.{end}_{index}", f"{name}_{short}") for end, short in (("low", "lo"), ("high", "hi"))]
        taken = {column.name.lower() for column in bench.columns}
        for _, shown in ends:
            if shown.lower() in taken:
                raise ColumnError(
                    f"publish.intervals: the table has a column {shown} already",
                    "publish intervals as text, or rename it",
                )
        return ends if how == "typed" else [text, *ends]

    def quasi_columns(self, bench: Workbench) -> list[str]:
        return [shown for index in range(len(bench.attributes)) for _, shown in self._published(bench, index)]
