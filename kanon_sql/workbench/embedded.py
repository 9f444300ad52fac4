"""Embedded search: over counts alone, on the embedded engine, for tables that stay where they are.

What leaves the database: for each combination of the base frequency set its codes (small integers without meaning outside the run)
and its rows; for each value of a quasi-identifier its codes, its rows and, of numerics only, the number itself, from which spans are
measured. What never leaves it: a row, a label, a text or a date, a person's key, a sensitive value (only its code and rows).
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import code_column
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.moving_search import why_search_stays
from kanon_sql.workbench.temporary import temporary_folder
from kanon_sql.workbench.workbench import Workbench

Columns = Sequence[tuple[str, str]]
"""(name, expression) pairs."""


def searching_bench(bench: Workbench) -> Workbench:
    """The workbench a search runs on: the job's own, or one on the embedded engine with its counts."""
    why = why_search_stays(bench)
    if why is not None:
        if why and bench.job.search.embedded == "always":
            bench.notes.append(f"search.embedded: the search stayed in the database: {why}")
        return bench
    if bench.embedded is None:
        bench.embedded = EmbeddedWorkbench(bench)
        bench.notes.append(
            f"searched on the embedded engine: the codes and counts of {bench.combinations} combinations left the database"
        )
    return bench.embedded


class Embedded(Workbench):
    """A workbench on an embedded engine in memory, under the names of `origin`, whose numbers it imports."""

    def __init__(self, origin: Workbench) -> None:
        from kanon_sql.backends.duckdb import DuckDBBackend

        job = origin.job
        backend = DuckDBBackend(None, work_schema=origin.names.schema, memory_limit=job.source.memory_limit)
        super().__init__(backend, job, origin.names.run)
        self.origin = self.database = origin
        backend.trace = origin.backend.trace  # one trace tells of the whole run
        self.columns, self.attributes, self.kinds = origin.columns, origin.attributes, origin.kinds
        self.sizes, self.sensitive, self.notes = origin.sizes, origin.sensitive, origin.notes
        self.rows, self.combinations = origin.rows, origin.combinations
        try:
            self._import_all()
        except BaseException:
            backend.close()
            raise

    def close(self) -> None:
        """Everything is in memory: it goes with the connection."""
        self.backend.close()

    def _import_all(self) -> None:
        """Bring what the search reads."""
        raise NotImplementedError

    def _import(self, table: Relation, columns: Columns, source: Relation | None = None) -> None:
        """A table of numbers from the database."""
        asked = statements.embedded.export_counts(self.database.dialect, source or table, columns)
        self._arrive(table, asked, [name for name, _ in columns])

    def _arrive(self, table: Relation, asked: Statement, columns: Sequence[str]) -> None:
        """What a statement finds in the database, by way of a file that only this user may read and that is gone at once."""
        with temporary_folder() as folder:
            selectable = self.database.backend.export_counts(asked, folder / "counts", columns)
            self._make("table", table, statements.embedded.import_counts(self.dialect, table, selectable))


class EmbeddedWorkbench(Embedded):
    """The counts of `origin`: what is said of a class there is true here."""

    def _import_all(self) -> None:
        self.backend.scale_to(self.combinations)
        self._import_dictionaries()
        for i in range(len(self.sensitive)):
            self._import(self.names.sensitive(i), [("code", "code"), ("n", "n")])
        # Codes of the other levels follow from level 0 by the dictionaries: one column per attribute travels.
        first = [code_column(i, 0) for i in range(len(self.attributes))]
        first += [f"s{i}" for i in range(len(self.sensitive))]
        counts = self.names.exported_counts
        self._import(counts, [(name, name) for name in [*first, "n"]], source=self.names.base)
        dictionaries = [(i, self.names.dictionary(i), a.star - 1) for i, a in enumerate(self.attributes)]
        statement = statements.embedded.joined_base(
            self.dialect, self.names.base, counts, dictionaries, len(self.sensitive)
        )
        self._make("table", self.names.base, statement)

    def _import_dictionaries(self) -> None:
        """The codes, rows and numbers of all dictionaries, by one statement."""
        levels = statements.levels.most_levels(self.attributes)
        columns = ["attribute", *(f"code_{level}" for level in range(levels)), "n", "value"]
        database, arrived = self.database, self.names.exported_dictionaries
        parts = [
            (i, self.names.dictionary(i), a.star, finite_value(database.dialect, a) if a.numeric else None)
            for i, a in enumerate(self.attributes)
        ]
        self._arrive(arrived, self._exported(parts, levels), columns)
        for i, table, star, value in parts:
            statement = statements.embedded.import_dictionary(
                self.dialect, table, arrived, i, star, numeric=value is not None
            )
            self._make("table", table, statement)
        self.drop_table(arrived)

    def _exported(self, parts: Sequence[tuple[int, Relation, int, str | None]], levels: int) -> Statement:
        dialect = self.database.dialect
        if not self.database.backend.capabilities.starts_jobs:
            return statements.embedded.export_dictionaries(dialect, parts, levels)
        numeric = [
            (i, finite_value(dialect, attribute, statements.levels.value_column(i)))
            for i, attribute in enumerate(self.attributes)
            if attribute.numeric
        ]
        return statements.embedded.export_all_dictionaries(dialect, self.names.dictionaries, levels, numeric)

    def bring(self, shape: ClassShape) -> None:
        """The hierarchies of sensitive columns that a shape reads, as codes and shares."""
        for table in shape.hierarchies.values():
            if ("table", table) not in self.made:
                columns = [
                    column.name for column in self.database.backend.describe(table) if column.name != "uncovered"
                ]
                self._import(table, [(name, name) for name in columns])
