"""The work tables of a run: lookups, the base frequency set, dictionaries, the level view. Gone when the run ends, however it ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from pathlib import Path

from kanon_sql.backends.base import Backend
from kanon_sql.backends.columns import ColumnInfo
from kanon_sql.backends.rows import Row
from kanon_sql.config.attributes import build_attributes, check_columns
from kanon_sql.config.risk_presets import ages, with_preset
from kanon_sql.config.schema import Job
from kanon_sql.errors import ColumnError, HierarchyError, JobError, NoSolution
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.privacy.presets import PRESETS
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.packed_keys import packed_keys
from kanon_sql.workbench.kept_base import raw_statement
from kanon_sql.workbench.level_checks import inspect_levels
from kanon_sql.workbench.moving_search import why_search_stays
from kanon_sql.workbench.reading import as_published, check_types
from kanon_sql.workbench.work_tables import WorkTables

BYTES_PER_ROW = 40
"""A guess, to tell a small file from a large one before it is read."""
CLOSE_KEYS = 8
"""Person keys lie close together where as many rows times this are all the numbers between the lowest and the highest."""
LOOKUP_CHUNK = 1000
"""Rows per INSERT of a lookup table."""


class Workbench(WorkTables):
    """One run's work tables on one engine. Use it as a context manager: leaving drops them.

    After `prepare`: `attributes`, `lattice`, `sizes[attribute][level]`, `rows`, `combinations`; `sensitive` are the columns
    the base keeps beside the quasi-identifiers, in the order of their codes s0, s1, ….
    """

    def __init__(self, backend: Backend, job: Job, run: str, *, keeps_base: bool = False) -> None:
        super().__init__(backend, run)
        self.keeps_base = keeps_base
        self.origin: Workbench | None = None
        """Where the counts of an embedded workbench come from; labels and sensitive values are asked for there."""
        self.embedded: Workbench | None = None
        """Where a search over this workbench's counts runs, once they have travelled."""
        self.job = job
        self.columns: list[ColumnInfo] = []
        self.attributes: tuple[Attribute, ...] = ()
        self.sizes: list[list[int]] = []
        self.sensitive: list[str] = []
        self.wanted: list[str] = []
        self.notes: list[str] = []
        self.counts_persons = False
        self.rows = 0
        self._opened = False
        self._prepared = False
        self.combinations = 0
        self._nodes: dict[Relation, Node | None] = {}
        """The node of each level view; none: it has every level."""
        self._ranges: dict[tuple[Relation, str], Row] = {}
        self.nameless: bool | None = None
        """Whether rows have no person; none where that was not seen while the source was read."""
        self.released: Relation | None = None
        """The source without the rows that are withheld; none where no row is."""
        self.released_account: Relation | None = None
        """The same of the account of a local recoding (who stands behind which row)."""

    def close(self) -> None:
        """Drop every work table, those of an embedded search first."""
        if self.embedded is not None:
            self.embedded.close()
        super().close()
        self._opened = False

    # -- what the job means on this table

    def open_source(self) -> None:
        """Find the table, describe it, and check the job's columns against it; once is enough."""
        if self._opened:
            return
        self.find_source()
        self.backend.create_schema(self.names.schema)
        check_columns(self.job, [column.name for column in self.columns], self._where)
        self.adopt(self.source, self.columns)
        self.attributes = build_attributes(self.job, self.kinds)
        self._apply_preset()
        self.sensitive = self._columns_beside()
        self._opened = True

    def adopt(self, table: Relation, described: list[ColumnInfo]) -> None:
        """Read the table as it will be published: one value for all that equal it, whatever the type and the collation."""
        check_types(self.job, described)
        self.table, self.described = table, described
        compared = {*self.job.columns_with("quasi"), *self.job.columns_with("sensitive"), *self._columns_beside()}
        compared |= {self.job.source.person} if self.job.source.person is not None else set()
        self.source, self.columns, self.values = as_published(
            self, table, described, compared, self.names.published_source
        )
        self.kinds = {column.name: column.described for column in self.columns}
        self.names = replace(self.names, taken=frozenset(column.name.lower() for column in described))

    def find_source(self) -> Relation:
        """Find the table and describe it, whatever the job says of its columns. A table needs no work schema for that."""
        source = self.job.source
        if source.file is not None:
            self.backend.create_schema(self.names.schema)
            self.source = self._file_source(source.file)
        else:
            assert source.table is not None
            self.source = self.backend.relation(source.table)
        self.columns = self.backend.describe(self.source)
        if not self.columns:
            raise ColumnError(
                f"source.table: there is no table or view {self._where}",
                "write schema.table, as the database spells it",
            )
        return self.source

    @property
    def _where(self) -> str:
        """The source as the job names it."""
        return str(self.job.source.file or self.job.source.table)

    def _apply_preset(self) -> None:
        """What `privacy.risk` asks of dates, postal codes and ages; k it has set already."""
        if self.job.privacy.risk is None:
            return
        preset = PRESETS[self.job.privacy.risk]
        named = ages(self.attributes)
        figures = self.backend.fetch_one(statements.levels.largest(self.dialect, self.source, named)) if named else ()
        oldest = {name: None if top is None else float(top) for name, top in zip(named, figures, strict=True)}
        self.attributes, lines = with_preset(preset, self.attributes, oldest)
        self.notes += [preset.statement, *lines]

    def _columns_beside(self) -> list[str]:
        """The columns that models and metrics need beside the quasi-identifiers."""
        needed = [*self.job.privacy.sensitive_columns, *self.wanted]
        if self.job.utility.target is not None:
            needed.append(self.job.utility.target)
        return list(dict.fromkeys(needed))

    def also_needs(self, column: str | None) -> None:
        """A column the base must keep beside those of the job's models and metric. Call it before `prepare`."""
        if column is not None:
            self.wanted.append(column)

    def _file_source(self, file: str) -> Relation:
        selectable = self.selectable_file(file, self.job.source.options, "source.file")
        self._make(
            "view", self.names.source, statements.levels.source_view(self.dialect, self.names.source, selectable)
        )
        return self.names.source

    def selectable_file(self, file: str, options: dict[str, object], key: str) -> str:
        """A file named under `key` of the job as something to select from; a URI goes to the engine as it is written."""
        if "://" in file:
            return self.backend.selectable(file, options)
        path = (self.job.base / Path(file)).resolve()
        if self.backend.capabilities.reads_files and not path.exists():
            raise JobError(f"{key}: there is no file {path}", "the path is relative to the job file")
        if path.is_file():
            self.backend.scale_to(path.stat().st_size // BYTES_PER_ROW)
        return self.backend.selectable(path, options)

    # -- the work tables

    def prepare(self, *, searches: bool = False) -> None:
        """Everything a search reads, with one scan of the source; once is enough.

        `searches`: a search is all that reads the base often. Where it moves to the embedded engine, the base is no table.
        """
        if self._prepared:
            return
        self.prepare_dictionaries()
        for index, name in enumerate(self.sensitive):
            statement = statements.levels.sensitive(self.dialect, self.names, index, self.kinds[name][0])
            self._make("table", self.names.sensitive(index), statement)
        as_view = searches and self.backend.capabilities.starts_jobs and why_search_stays(self) is None
        beside = len(self.sensitive)
        statement = statements.levels.base(
            self.dialect, self.names, self.attributes, beside, self.counts_persons, self.rows, as_view=as_view
        )
        if as_view:
            self.make_view(self.names.base, statement)
        else:
            self.make_table(self.names.base, statement)
            self.backend.analyze(self.names.base)
        self._prepared = True

    def prepare_dictionaries(self) -> None:
        """The values that occur, their levels and rows, checked: what a search and a score stand on."""
        self.read_levels()
        self._check_levels()

    def read_levels(self) -> None:
        """The dictionaries of the quasi-identifiers: every value that occurs, with its code and label at every level."""
        self.open_source()
        self._lookups()
        self._raw()
        if self.backend.capabilities.starts_jobs:
            statement = statements.levels.dictionaries(self.dialect, self.names, self.attributes)
            self.make_table(self.names.dictionaries, statement)
            for index, attribute in enumerate(self.attributes):
                statement = statements.levels.dictionary_view(self.dialect, self.names, index, attribute)
                self.make_view(self.names.dictionary(index), statement)
            return
        self._make_all(
            [
                (self.names.dictionary(index), statements.levels.dictionary(self.dialect, self.names, index, attribute))
                for index, attribute in enumerate(self.attributes)
            ]
        )
        for index in range(len(self.attributes)):
            self.backend.analyze(self.names.dictionary(index), often=False)  # or a planner takes it for large

    def _lookups(self) -> None:
        tables, rows = [], []
        for index, attribute in enumerate(self.attributes):
            if not attribute.lookup:
                continue
            table = self.names.lookup(index)
            if self.backend.capabilities.starts_jobs and len(attribute.lookup) <= LOOKUP_CHUNK:
                self._make("view", table, statements.levels.lookup_view(self.dialect, table, attribute.lookup))
                continue
            tables.append((table, statements.levels.lookup(self.dialect, table, len(attribute.lookup[0]) - 1)))
            for start in range(0, len(attribute.lookup), LOOKUP_CHUNK):
                chunk = attribute.lookup[start : start + LOOKUP_CHUNK]
                rows.append(statements.levels.lookup_rows(self.dialect, table, chunk))
        self._make_all(tables)
        self.backend.execute_all(rows)

    def _raw(self) -> None:
        person = self.job.source.person
        if person is not None:
            self.counts_persons = self._persons_repeat(person)
        columns = [(statements.levels.value_column(i), attribute.name) for i, attribute in enumerate(self.attributes)]
        columns += [(f"s{i}", name) for i, name in enumerate(self.sensitive)]
        if self.counts_persons and person is not None:
            columns.append(("person", person))
        self._make("table", self.names.raw, raw_statement(self, columns))
        found = self.backend.fetch_one(statements.checks.count_rows(self.dialect, self.names.raw))
        self.combinations, self.rows = int(found.combinations), int(found.rows)
        self.backend.scale_to(self.combinations)
        k = self.job.privacy.k
        if self.rows == 0:
            raise NoSolution("the source table is empty: there is nothing to release")
        if self.rows < k:
            raise NoSolution(
                f"the source has {counted(self.rows, 'row')}, fewer than k = {k}: no release can be {k}-anonymous",
                "lower privacy.k",
            )

    def _persons_repeat(self, person: str) -> bool:
        """Whether a person has several rows."""
        found = self._person_range(self.source, person)
        if found is not None:
            self.nameless = int(found.named) < int(found.rows)
        lowest = _lowest_if_close(found)
        statement = statements.levels.repeated_person(self.dialect, self.source, person, lowest)
        return bool(self.backend.fetch_one(statement).repeated)

    def lowest_close_key(self, source: Relation, person: str) -> int | None:
        """The lowest of person keys that are integers and lie close together: these are counted as bits, many to a group; else none."""
        return _lowest_if_close(self._person_range(source, person))

    def _person_range(self, source: Relation, person: str) -> Row | None:
        """Asked once of what cannot change. Verification may take it: keys counted from another lowest one are never more than they are."""
        if self.kinds[person].kind != "integer":
            return None
        known = self._ranges.get((source, person))
        if known is not None and self.backend.pins(source):
            return known
        found = self.backend.fetch_one(statements.levels.person_range(self.dialect, source, person))
        self._ranges[source, person] = found
        return found

    def _check_levels(self) -> None:
        levels = inspect_levels(self.backend, self.names, self.attributes, self.job)
        for fault in levels.faults:
            name = self.attributes[fault.attribute].name
            if fault.what == "uncovered":
                raise HierarchyError(
                    f"columns.{name}: its hierarchy misses {counted(fault.found, 'value')} of the table",
                    "add a line for each (`kanon doctor` counts them)",
                )
            raise HierarchyError(
                f"columns.{name}: {counted(fault.found, 'label has', 'labels have')} more than one label one level up "
                f"(levels {fault.level} and {fault.level + 1}): it does not nest",
                "make every level a union of groups of the level below",
            )
        self.sizes = levels.sizes

    # -- what others ask

    @cached_property
    def lattice(self) -> Lattice:
        return Lattice(
            names=tuple(attribute.name for attribute in self.attributes),
            bottom=tuple(attribute.min_level for attribute in self.attributes),
            top=tuple(attribute.max_level for attribute in self.attributes),
            star=tuple(attribute.star for attribute in self.attributes),
        )

    @cached_property
    def budget(self) -> int:
        """The rows that may be suppressed: floor(s * N), exactly; never all of them, for an empty release is no answer."""
        from fractions import Fraction

        return min(int(Fraction(str(self.job.privacy.suppression)) * self.rows), max(0, self.rows - 1))

    @property
    def frequency_source(self) -> statements.checks.FrequencySource:
        """What checks read: the base, its sensitive dictionaries, N."""
        tables = {index: self.names.sensitive(index) for index in range(len(self.sensitive))}
        return statements.checks.FrequencySource(self.names.base, tables, self.rows)

    def keys(self, node: Node, prefix: str = "") -> list[str]:
        """The packed key expressions of a node over the base, or over a view when `prefix` says so."""
        # A population may have values where the source has one: then every attribute below `*` takes part.
        whole = self.job.privacy.population is not None
        return packed_keys(self.dialect, node, self.lattice.star, self.sizes, prefix, whole)

    @property
    def code_prefix(self) -> str:
        """Keeps the code columns of the release's view apart from the source's names."""
        prefix = "kanon_"
        while any(column.name.lower().startswith(prefix) for column in self.columns):
            prefix += "_"
        return prefix

    @property
    def released_source(self) -> Relation:
        """The rows of the source that may be published; which classes are is the recoding's business."""
        return self.source if self.released is None else self.released

    def withhold(self, released: Relation) -> None:
        """From now on the level views show only the rows that `released` has."""
        self._drop_level_views()
        self.released = released

    def withhold_nobody(self) -> None:
        """Everything may be published again."""
        if self.released is not None:
            self._drop_level_views()
        for view in (self.released, self.released_account):
            if view is not None:
                self.drop_view(view)
        self.released = self.released_account = None

    def _drop_level_views(self) -> None:
        for view in (self.names.coded, self.names.levels):
            if ("view", view) in self.made:
                self.drop_view(view)

    def levels(self, node: Node | None = None) -> Relation:
        """The level view, made on demand: the levels of a node, or every level, of every quasi-identifier beside the source's columns."""
        return self._level_view(self.names.levels, None, node)

    def coded_view(self, node: Node | None = None) -> Relation:
        """The same with codes: what a release reads that drops classes."""
        return self._level_view(self.names.coded, self.code_prefix, node)

    def _level_view(self, view: Relation, code_prefix: str | None, node: Node | None) -> Relation:
        made = ("view", view) in self.made
        if made and self._nodes.get(view) != node:
            self.drop_view(view)
            made = False
        if not made:
            self._nodes[view] = node
            statement = statements.levels.level_view(
                self.dialect, self.names, view, self.released_source, self.attributes, code_prefix, node
            )
            self._make("view", view, statement)
        return view


def _lowest_if_close(found: Row | None) -> int | None:
    if found is None or found.lowest is None:
        return None
    return int(found.lowest) if int(found.highest) - int(found.lowest) < CLOSE_KEYS * int(found.rows) else None


def published_quasi(job: Job, have: Sequence[str]) -> list[str]:
    """The columns of a release that make a class: each quasi-identifier under its own name, or as the ends of an interval, or both."""
    named = [(name, f"{name}_lo", f"{name}_hi") for name in job.columns_with("quasi")]
    typed = job.publish is not None and job.publish.intervals != "text"
    return [column for name, *ends in named for column in (name, *(ends if typed else ())) if column in have]


def published_columns(job: Job, table: Sequence[ColumnInfo]) -> list[str]:
    """The columns of a release, in the table's order."""
    return [column.name for column in table if job.columns[column.name].role in ("quasi", "sensitive", "keep")]
