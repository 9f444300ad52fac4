"""A search for groups on the embedded engine: codes and counts leave the database, and groups of codes come back.

What leaves: for each combination of quasi-identifier values its codes and how many rows, or persons, have it; for each value its codes
and, of a numeric, its place within the range. What never leaves: a row, a value or label, a person's key, anything of a sensitive column: the
privacy models look at the groups in the database. What comes back: for each row, by its number in the order of codes, its group; for each
group what tells its labels, as codes, so that the database need not join every row to its codes once more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.coding import Coded
from kanon_sql.workbench.embedded import Embedded
from kanon_sql.workbench.temporary import temporary_folder
from kanon_sql.workbench.workbench import Workbench


def stays(bench: Workbench, rows: int) -> str | None:
    """Why the search for groups stays in the database (empty: nothing to tell); none when it may go."""
    search = bench.job.search
    if search.embedded == "never" or bench.backend.capabilities.embedded:
        return ""
    if search.embedded == "auto" and rows > search.embedded_limit:
        return f"the table has more rows than search.embedded_limit ({search.embedded_limit})"
    return None


class EmbeddedGroups(Embedded):
    """The rows of `origin` as codes, numbered as there; `coded` describes them."""

    def __init__(self, origin: Workbench, coded: Coded) -> None:
        self.coded = coded
        super().__init__(origin)

    def _import_all(self) -> None:
        there, dialect = self.coded, self.dialect
        self.backend.scale_to(there.count)
        for _, table, _ in there.keyed:
            columns = [column.name for column in self.database.backend.describe(table)]
            self._import(table, [(name, name) for name in columns])
        boxes = replace(there.boxes, dialect=dialect)
        for code in boxes.asking().trees:
            statement = statements.cluster.coding.tree_leaves(
                dialect, there.trees[code.index], there.codes[code.index], code.row_columns
            )
            self._make("table", there.trees[code.index], statement)
        width = len(self.attributes)
        codes = [f"q{i}_0" for i in range(width)]
        counts = self.names.exported_counts
        several = self.database.counts_persons
        whole = there.units == self.database.names.units and not several
        source = self.database.names.base if whole else there.units
        self._arrive(
            counts,
            statements.embedded.export_combinations(
                self.database.dialect,
                source,
                codes,
                counted=whole,
                alone=whole and not self.database.sensitive,
                repeated=several,
            ),
            [*codes, "n"],
        )
        self._make("table", there.units, statements.cluster.coding.units(dialect, there.units, counts, width, 0, None))
        rows = statements.cluster.coding.rows(dialect, there.rows, there.units, there.keyed, boxes)
        self._make("table", there.rows, rows)
        self.coded = replace(there, boxes=boxes, viewed=False)

    def bring_back(self, table: Relation, columns: Sequence[str]) -> None:
        """A table of the search, under its name, in the database."""
        backend = self.database.backend
        with temporary_folder() as folder:
            file = folder / "groups"
            self.backend.execute(
                statements.embedded.export_groups(self.dialect, table, columns, str(file), backend.receives)
            )
            self.database.made.append(("table", table))
            backend.receive(statements.embedded.empty_groups(backend.dialect, table, columns), table, columns, file)
        backend.analyze(table, often=False)
