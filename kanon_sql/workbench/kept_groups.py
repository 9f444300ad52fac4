"""A night on which groups are kept: survivors stay, labels are frozen, groups short of founders retire, newcomers join or wait.

Every step is one statement over all groups. A class is published to a reader who has all earlier nights: so whoever stays, stays with
k or more of those who founded the group; a label is never computed anew; and who was retired does not come back.
"""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.person_keys import person_key, row_key
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.sql.statements.nights import FrozenLabels, RowIdentity
from kanon_sql.workbench.coding import Coded, part_of
from kanon_sql.workbench.frozen_labels import FrozenColumns
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.group_labels import make_labels
from kanon_sql.workbench.group_privacy import judged
from kanon_sql.workbench.kept_tables import STATE, KeptTables
from kanon_sql.workbench.workbench import Workbench

TOLD = (
    *("stayed", "joined", "founded", "waiting", "retired_tonight", "retired", "resting", "moved", "gone", "arrived"),
    *("waiting_since", "members_before", "groups_before", "groups_kept"),
)
"""What is told of a night."""
LITTLE = 3
"""Groups of the waiting room may lose so many times what the kept groups lose."""


@dataclass(frozen=True)
class Waiting:
    """The waiting room as a search sees it: its rows, and who is in it."""

    coded: Coded
    room: Relation


@dataclass(frozen=True)
class Large:
    """Groups that may be cut: their rows as a search sees them, the same with their groups, and the groups as they are."""

    coded: Coded
    rows: Relation
    whole: Relation


@dataclass(frozen=True)
class New:
    """Groups of a search that are new tonight: its assignment, the units it is of, its labels, and which groups become what."""

    assignment: Relation
    units: Relation | None
    labels: Relation
    accepted: Relation


class Night:
    """One night of one job. The steps are to be called in this order; each makes work tables."""

    def __init__(
        self, bench: Workbench, coded: Coded, salt: str, version: int, kept: KeptTables | None, apart: str = ""
    ) -> None:
        self.apart = apart
        """Tells the tables of two nights on one workbench apart."""
        self.bench = bench
        self.dialect = bench.dialect
        self.coded = coded
        self.columns = FrozenColumns(bench, coded)
        self.salt = salt
        self.version = version
        self.kept = kept
        self.last = 0
        self.several = bench.counts_persons
        if kept is not None:
            found = bench.backend.fetch_one(statements.nights.last_group(self.dialect, kept.members, kept.labels))
            self.last, self.several = int(found.last), self.several or bool(found.several)
        self.rows = self.placed = self.live = self.boxes = self.assigned = Relation(())
        self.resting: Relation | None = None
        self.founded: Relation | None = None
        self.assignment = Relation(())
        self._new: list[New] = []

    # -- who is there

    def place_everybody(self, rows: Relation | None = None) -> None:
        """Tonight's rows with their persons, and what became of everybody since the last release.

        `rows`: those of the table that are there tonight, where not all are.
        """
        self.rows = rows if rows is not None else self.everybody()
        members = boxes = None
        if self.kept is not None:
            members, boxes = self.kept.members, self._make("boxes", self._boxes(self.kept))
            self.boxes = boxes
        self.placed = self._make(
            "placed",
            statements.nights.placed(self.dialect, self._name("placed"), self.rows, members, boxes, self._labels),
        )

    def everybody(self) -> Relation:
        """The table's rows with their persons."""
        return self._make("rows", self._rows())

    def keep_groups(self, k: int, *, join: bool) -> None:
        """Retire groups with fewer than k founders left; `join`: newcomers enter the group that holds them and loses least."""
        nights = statements.nights
        self.live = self._make("live", nights.live_groups(self.dialect, self._name("live"), self.placed, k))
        joined = None
        if join:
            statement = nights.joined(
                self.dialect, self._name("joined"), self.placed, self.rows, self.boxes, self.live, self._labels
            )
            joined = self._make("joined", statement)
        statement = nights.assigned(self.dialect, self._name("assigned"), self.placed, self.live, joined)
        self.assigned = self._make("assigned", statement)

    def rest(self, shape: ClassShape) -> None:
        """Groups that do not satisfy the privacy models tonight are not published tonight."""
        answers = self.answers(self.assigned)
        verdict, source = judged(answers, shape)
        resting = None
        if verdict.violating_rows:
            resting = self._make(
                "resting", statements.release.violating(self.dialect, self._name("resting"), source, ["g"], shape)
            )
        self.resting = resting

    def answers(self, assignment: Relation) -> GroupAnswers:
        """The groups of an assignment as a search would hold them."""
        answers = GroupAnswers(self.bench, self.coded, 1, f"{assignment.name.rpartition('night_')[2]}_")
        answers.tables[GroupTable.ASSIGNMENT] = assignment
        return answers

    # -- who waits

    def waiting_room(self, least: int) -> Waiting | None:
        """Who is in no group and may get one, where they are enough for a group."""
        statement = statements.nights.waiting_room(self.dialect, self._name("room"), self.placed, self.assigned)
        room = self._make("room", statement)
        if int(self.bench.backend.fetch_one(statements.checks.table_rows(self.dialect, room)).rows) < least:
            return None
        return Waiting(part_of(self.bench, self.coded, room, f"{self.apart}waiting"), room)

    def accept(self, waiting: Waiting, answers: GroupAnswers, labels: Relation, patience: int) -> None:
        """Found the groups of the waiting room that lose little enough, or half of which have waited since version `patience`."""
        found = self.bench.backend.fetch_one(statements.nights.mean_loss(self.dialect, self.assigned, self.boxes))
        rows, loss = int(found.rows), int(found.loss)
        most = LITTLE * loss // rows if rows else self.coded.boxes.full
        statement = statements.nights.accepted_groups(
            self.dialect,
            self._name("accepted"),
            answers.make_boxes(),
            labels,
            self.columns.published,
            self.last,
            assignment=answers.assignment,
            units=waiting.coded.units,
            room=waiting.room,
            most=most,
            patience=patience,
        )
        self._add(statement, "accepted", answers, labels, waiting.coded.units)

    def found_all(self, answers: GroupAnswers, labels: Relation, units: Relation | None = None) -> None:
        """The first night: every group of the search is founded; `units`: of a part of the table, where that was searched."""
        statement = statements.nights.accepted_groups(
            self.dialect, self._name("accepted"), answers.make_boxes(), labels, self.columns.published, self.last
        )
        self._add(statement, "accepted", answers, labels, units)

    # -- what is published in parts

    def large_groups(self, least: int) -> Large | None:
        """The groups that may be cut: `least` founders or more, and none of them ever left. None where there are none."""
        assert self.kept is not None
        statement = statements.nights.large_groups(
            self.dialect, self._name("large"), self.assigned, self.placed, self.live, self.kept.labels, least
        )
        large = self._make("large", statement)
        if not int(self.bench.backend.fetch_one(statements.checks.table_rows(self.dialect, large)).rows):
            return None
        coded = part_of(self.bench, self.coded, large, f"{self.apart}large")
        whole = self._make(
            "whole", statements.nights.whole_groups(self.dialect, self._name("whole"), coded.units, large)
        )
        return Large(coded, large, whole)

    def split(self, large: Large, answers: GroupAnswers, labels: Relation, least: int) -> None:
        """Cut the groups whose parts have `least` founders each and lose less together."""
        statement = statements.nights.split_groups(
            self.dialect,
            self._name("split"),
            answers.assignment,
            large.coded.units,
            large.rows,
            answers.make_boxes(),
            labels,
            self.columns.published,
            least,
            self.last,
        )
        self._add(statement, "split", answers, labels, large.coded.units)

    def _add(
        self, statement: Statement, what: str, answers: GroupAnswers, labels: Relation, units: Relation | None
    ) -> None:
        """New groups, numbered after all there are."""
        accepted = self._make(what, statement)
        self._new.append(New(answers.assignment, units, labels, accepted))
        self.last += answers.coded.count  # there cannot be more of them

    # -- what is published, and what the next night begins with

    def settle(self) -> tuple[Relation, Relation]:
        """Everybody's group and what every group publishes; and the tables of the next night."""
        nights, kept = statements.nights, self.kept
        if self._new:
            sources = [(new.assignment, new.units, new.accepted) for new in self._new]
            self.founded = self._make("founded", nights.founded(self.dialect, self._name("founded"), sources))
        if kept is None:
            assert self.founded is not None
            self.assignment = self.founded
        else:
            statement = nights.assignment(
                self.dialect, self._name("assignment"), self.assigned, self.founded, self.resting
            )
            self.assignment = self._make("assignment", statement)
        live = self.live if kept is not None else None
        labels = self._make(
            "labels",
            nights.labels(
                self.dialect,
                self._name("labels"),
                kept.labels if kept else None,
                live,
                [(new.labels, new.accepted) for new in self._new],
                self.founded,
                self.placed,
                self.columns.label_columns,
            ),
        )
        if sets := self.columns.words(self.columns.sets):
            statement = nights.values(
                self.dialect,
                self._name("values"),
                kept.values if kept else None,
                live,
                self.founded,
                self.coded.units,
                sets,
            )
            self._make("values", statement)
        statement = nights.members(
            self.dialect,
            self._name("members"),
            self.placed,
            self.assignment,
            live,
            self.founded,
            kept.members if kept else None,
            self.version,
        )
        self._make("members", statement)
        return self.assignment, labels

    def next_tables(self) -> dict[str, Relation]:
        """What outlives the night, by its name."""
        made = {relation for _, relation in self.bench.made}
        return {what: self._name(what) for what in STATE if self._name(what) in made}

    def figures(self) -> dict[str, int]:
        """Who stayed, joined, waits and retired."""
        assert self.kept is not None
        statement = statements.nights.story(
            self.dialect, self.placed, self.assignment, self._name("members"), self.kept.members, self.live
        )
        row = self.bench.backend.fetch_one(statement)
        return {name: int(getattr(row, name) or 0) for name in TOLD}

    # -- statements

    @property
    def _labels(self) -> FrozenLabels:
        return self.columns.frozen(self.kept.values if self.kept else None)

    def _name(self, what: str) -> Relation:
        return self.bench.names.night(f"{self.apart}{what}")

    def _make(self, what: str, statement: Statement) -> Relation:
        table = self._name(what)
        self.bench.make_table(table, statement)
        self.bench.backend.analyze(table, often=False)
        return table

    def _rows(self) -> Statement:
        bench, dialect, prefix = self.bench, self.dialect, self.bench.code_prefix
        person = bench.job.source.person
        assert person is not None
        described = {column.name: column for column in bench.columns}
        numbering = [
            dialect.ordered(f"rows.{dialect.identifier(name)}", described[name].ordered_as)
            for name in (*bench.sensitive, person)
        ]
        shown = [f"numbered.{dialect.identifier(attribute.name)}" for attribute in bench.attributes]
        ordinal = f"{prefix}ordinal"
        column = f"numbered.{dialect.identifier(person)}"
        alone = row_key(dialect, self.salt, None, shown, f"numbered.{dialect.identifier(ordinal)}")
        named = person_key(dialect, self.salt, column)
        identity = RowIdentity(
            codes=[(f"{prefix}q{i}_0", f"q{i}_0") for i in range(len(bench.attributes))],
            numbering=numbering,
            place=f"{prefix}place",
            ordinal=ordinal,
            person=person,
            person_key=f"case when {column} is null then {alone} else {named} end",
            row_key=row_key(dialect, self.salt, None, shown) if self.several else dialect.cast("0", "integer"),
            repeated=bench.counts_persons,
        )
        columns = self.columns.row_codes
        ranges = [(i, bench.attributes[i].name) for i in self.columns.ranges]
        return statements.nights.rows(
            dialect,
            self._name("rows"),
            bench.coded_view(),
            self.coded.units,
            self.coded.rows,
            identity,
            ranges,
            self.columns.words(self.columns.wide),
            columns,
            self.salt,
        )

    def _boxes(self, kept: KeptTables) -> Statement:
        names = self.bench.names
        trees = []
        for i in self.columns.trees:
            attribute = self.bench.attributes[i]
            levels = list(range(attribute.min_level, attribute.star))
            trees.append((i, names.dictionary(i), self.coded.codes[i], levels))
        sets = [
            (i, names.dictionary(i), self.coded.codes[i], [word for word, _ in masks], self.columns.word)
            for i, masks in self.columns.bits
        ]
        return statements.nights.boxes(
            self.dialect,
            self._name("boxes"),
            kept.labels,
            kept.values,
            self.columns.ranges,
            trees,
            sets,
            self.columns.wide,
        )

    def make_labels(self, answers: GroupAnswers) -> Relation:
        """What the groups of a search publish, frozen for the nights to come."""
        from kanon_sql.workbench.blanking import with_blanks

        apart = f"{self.apart}{answers.search}"
        table = self.bench.names.night(f"{apart}found") if apart else None
        made = make_labels(answers, frozen=True, table=table)
        frozen = [f"{end}_{i}" for i in self.columns.ranges for end in ("from", "to", "null")]
        return with_blanks(answers, made, [*frozen, *(f"level_{i}" for i in self.columns.trees)])
