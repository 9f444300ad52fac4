"""A recoding: what a search chose, and how it becomes the staged table."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import ClassVar, Protocol

from kanon_sql.frozen import dataclass
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.forms import Form
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import Raw
from kanon_sql.results import PlanResult
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.level_labels import level_label, published_value
from kanon_sql.workbench.workbench import Workbench, published_columns

REPEATED = 8
"""How often a row of a release must repeat at least, on the average, for counting to be cheaper than sorting."""


class Recoding(Protocol):
    """Global or local: both end in one CREATE TABLE AS under a staging name."""

    @property
    def kept(self) -> bool:
        """Groups that were kept from night to night: their labels are frozen, and whoever does not fit any more is left out."""
        ...

    def prepare(self, bench: Workbench) -> None:
        """Make the work tables that staging, verification and the comparison with earlier releases read."""
        ...

    def stage(self, bench: Workbench, table: Relation) -> None:
        """Create the staged table."""
        ...

    def quasi_columns(self, bench: Workbench) -> list[str]:
        """The published columns that make a class, by their published names."""
        ...

    def staged_persons(self, bench: Workbench) -> StagedPersons | None:
        """Who stands behind the staged rows, once it is staged, where only the staging knows; else none."""
        ...


@dataclass(frozen=True)
class StagedPersons:
    """The rows of a staged local recoding with the person behind each and the values they stand for: a work table.

    `row` numbers its rows; `raw` and `sensitive` are (its column, the source's column).
    """

    table: Relation
    person: str
    row: str
    raw: tuple[tuple[str, str], ...]
    sensitive: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class Chosen:
    """What a search decided: the recoding to release, and the plan that describes it."""

    recoding: Recoding
    plan: PlanResult
    kept: Mapping[str, Relation] | None = None
    """The work tables that the next night begins with, by what they are, where groups are kept."""

    @property
    def released_rows(self) -> int:
        """The rows that the release will have."""
        return self.plan.rows - self.plan.suppressed - self.plan.withheld


@dataclass(frozen=True)
class GlobalRecoding:
    """One level per attribute (full-domain generalization); classes that violate are dropped."""

    node: Node
    shape: ClassShape
    suppressed: int
    kept: ClassVar[bool] = False

    def prepare(self, bench: Workbench) -> None:
        self._rows(bench)

    def _rows(self, bench: Workbench) -> tuple[Relation, Relation | None]:
        """What is staged: the level view, and the classes to leave out of it, if any."""
        if not self.suppressed or not bench.keys(self.node):
            return bench.levels(self.node), None
        violating = self.violating(bench)
        return bench.coded_view(self.node), violating

    def stage(self, bench: Workbench, table: Relation) -> None:
        levels = {attribute.name: level for attribute, level in zip(bench.attributes, self.node, strict=True)}
        columns = [
            (bench.names.level_column(name, levels[name]) if name in levels else name, name)
            for name in published_columns(bench.job, bench.columns)
        ]
        attributes = {attribute.name: attribute for attribute in bench.attributes}
        shown = [
            (column, self._shown(bench, attributes.get(name), levels.get(name, 0), column), name)
            for column, name in columns
        ]
        keys = bench.keys(self.node, prefix=f"rows.{bench.code_prefix}")
        rows, violating = self._rows(bench)
        dialect, release, prefix = bench.dialect, statements.release, bench.code_prefix
        staged = release.stage(dialect, table, rows, shown, violating, keys)
        if self._repeats(bench):
            # The same step by another way: traces, time-outs and profiles know it by one name.
            counted = release.stage_counted(dialect, table, rows, shown, violating, keys, prefix)
            staged = replace(counted, label=staged.label)
        bench.backend.execute(staged)

    def _repeats(self, bench: Workbench) -> bool:
        """Whether rows of the release repeat so often that it is cheaper made of counts.

        As many different rows as there are classes at most, times the values of every other column that is published. Values that are
        equal must print the same, or one would stand for another.
        """
        if not bench.backend.capabilities.stages_counts:
            return False
        quasi = {attribute.name for attribute in bench.attributes}
        others = [name for name in published_columns(bench.job, bench.columns) if name not in quasi]
        if any(bench.kinds[name].form is not Form.SAME for name in others):
            return False
        classes = math.prod(sizes[level] for sizes, level in zip(bench.sizes, self.node, strict=True))
        different = min(classes, bench.combinations)
        if others and different * REPEATED <= bench.rows:
            statement = statements.release.distinct_values(bench.dialect, bench.source, others)
            different *= math.prod(int(values) + 1 for values in bench.backend.fetch_one(statement))
        return different * REPEATED <= bench.rows

    @staticmethod
    def _shown(bench: Workbench, attribute: Attribute | None, level: int, column: str) -> str:
        """What is published of a column of the level view: a quasi-identifier with one type at every level."""
        value = f"rows.{bench.dialect.identifier(column)}"
        if attribute is None:
            return value
        spec = attribute.levels[level]
        label = level_label(bench.dialect, attribute, spec, value, "") if isinstance(spec, Raw) else value
        return published_value(bench.dialect, attribute, spec, value, label)

    def violating(self, bench: Workbench) -> Relation:
        """The classes a release drops, as a work table, made on demand."""
        table = bench.names.violating
        if ("table", table) in bench.made:
            return table
        keys = bench.keys(self.node)
        bench.make_table(
            table, statements.release.violating(bench.dialect, table, bench.frequency_source, keys, self.shape)
        )
        return table

    def quasi_columns(self, bench: Workbench) -> list[str]:
        return [attribute.name for attribute in bench.attributes]

    def staged_persons(self, bench: Workbench) -> StagedPersons | None:
        return None  # the node says where everybody is
