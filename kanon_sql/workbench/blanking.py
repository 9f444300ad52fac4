"""Merging clusters where a merger may blank attributes of one of its sides, and what the groups then publish."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import MergePairs, StartMerging
from kanon_sql.cluster.questions import Counts
from kanon_sql.errors import JobError
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.coding import is_range
from kanon_sql.workbench.merging import Merging
from kanon_sql.workbench.rounds import PASSES, Rounds
from kanon_sql.workbench.rules import check_rules

MOST_ATTRIBUTES = 60
"""A mask has a bit for each."""


class Blanking(Merging):
    """The clusters, and beside every row the attributes that are blanked."""

    def __init__(self, rounds: Rounds, question: StartMerging) -> None:
        width = len(rounds.bench.attributes)
        if width > MOST_ATTRIBUTES:
            raise JobError(f"udrv-suppress takes up to {MOST_ATTRIBUTES} quasi-identifiers", "use udrv")
        rules = check_rules(rounds.bench.origin or rounds.bench).rules
        self.ruled = {width + place: rule.attribute for place, rule in enumerate(rules)}
        super().__init__(rounds, question)
        assign = rounds.tables["assign"]
        self.blanks = rounds.make(
            "blanks", lambda table: statements.cluster.blanking.no_blanks(self.dialect, table, assign), analyze=True
        )

    def _first(self, assign: Relation) -> Relation:
        return self.rounds.make(
            "clusters",
            lambda table: statements.cluster.blanking.clusters(
                self.dialect, table, assign, self.free, self.boxes, self.worth
            ),
            analyze=True,
        )

    def merge(self, question: MergePairs) -> Counts:
        dialect, boxes, worth, rounds, k = self.dialect, self.boxes, self.worth, self.rounds, self.rounds.k
        clusters, blanks = self.clusters, self.blanks
        partners = rounds.make(
            "partners",
            lambda table: statements.cluster.blanking.partners(
                dialect, table, clusters, boxes, worth, gain=question.objective == "gain", k=k
            ),
            analyze=True,
        )
        taken = rounds.make(
            "taken",
            lambda table: statements.cluster.moving.chosen_moves(dialect, table, partners, PASSES),
            analyze=True,
        )
        mergers = rounds.make(
            "mergers",
            lambda table: statements.cluster.blanking.mergers(dialect, table, taken, clusters, boxes, worth, k),
            analyze=True,
        )
        self.blanks = rounds.make(
            "blanks",
            lambda table: statements.cluster.blanking.blanked_rows(dialect, table, blanks, mergers),
            analyze=True,
        )
        self.clusters = rounds.make(
            "clusters",
            lambda table: statements.cluster.blanking.merged_clusters(
                dialect, table, clusters, mergers, boxes, worth, self.ruled
            ),
            analyze=True,
        )
        found = self.backend.fetch_one(statements.cluster.merging.merge_counts(dialect, taken, self.clusters, k))
        return Counts(done=int(found[0]), groups=int(found[1]), small=int(found[2]))

    def settle(self) -> Counts:
        """No row is singled out by a blank; rows blanked alike are the groups of the assignment."""
        rounds, blanks, indexes = self.rounds, self.blanks, list(self.worth.values)
        self.blanks = rounds.make(
            "blanks",
            lambda table: statements.cluster.blanking.settled_blanks(self.dialect, table, blanks, indexes, rounds.k),
            analyze=True,
        )
        rounds.make(
            "assign",
            lambda table: statements.cluster.blanking.assignment(self.dialect, table, self.blanks),
            analyze=True,
        )
        rounds.fresh = False
        return Counts()


def with_blanks(rounds: Rounds, labels: Relation) -> Relation:
    """What the groups publish, blanks included where the search made any."""
    bench, blanks = rounds.bench, rounds.tables.get("blanks")
    if blanks is None:
        return labels
    indexes = list(range(len(bench.attributes)))
    ranges = [index for index in indexes if is_range(bench, index)]
    table, assign = bench.names.work("blanked_labels"), rounds.tables["assign"]
    statement = statements.cluster.blanking.blanked_labels(
        bench.dialect, table, labels, assign, blanks, indexes, ranges
    )
    bench.make_table("blanked_labels", statement)
    return table
