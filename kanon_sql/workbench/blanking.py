"""Merging clusters where a merger may blank attributes of one of its sides, and what the groups then publish."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.cluster.block_questions import MergePairs, StartMerging
from kanon_sql.cluster.questions import Counts
from kanon_sql.errors import JobError
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.workbench.coding import is_range
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.merging import Merging
from kanon_sql.workbench.rules import check_rules

MOST_ATTRIBUTES = 60
"""A mask has a bit for each."""


class Blanking(Merging):
    """The clusters, and beside every row the attributes that are blanked."""

    def __init__(self, answers: GroupAnswers, question: StartMerging) -> None:
        width = len(answers.bench.attributes)
        if width > MOST_ATTRIBUTES:
            raise JobError(f"udrv-suppress takes up to {MOST_ATTRIBUTES} quasi-identifiers", "use udrv")
        rules = check_rules(answers.bench.origin or answers.bench).rules
        self.ruled = {width + place: rule.attribute for place, rule in enumerate(rules)}
        super().__init__(answers, question)
        answers.make(GroupTable.BLANKS, statements.cluster.blanking.no_blanks, answers.assignment)

    def _first_figures(self) -> dict[str, str]:
        return statements.cluster.blanking.first_figures(self.cost)

    def merge(self, question: MergePairs) -> Counts:
        blanking, answers, clusters = statements.cluster.blanking, self.answers, self.clusters
        gain = question.objective == "gain"
        partners = answers.make(
            GroupTable.OPERATIONS, blanking.partners, clusters, self.boxes, self.cost, gain=gain, k=answers.k
        )
        chosen = answers.chosen_moves(partners)
        mergers = answers.make(GroupTable.MERGERS, blanking.mergers, chosen, clusters, self.boxes, self.cost, answers.k)
        answers.make(GroupTable.BLANKS, blanking.blanked_rows, answers.tables[GroupTable.BLANKS], mergers)
        merged = blanking.merged_columns(self.cost, self.ruled)
        return self._merge_clusters(chosen, mergers, merged)

    def settle(self) -> Counts:
        """No row is singled out by a blank; rows blanked alike are the groups of the assignment."""
        blanking, answers, indexes = statements.cluster.blanking, self.answers, list(self.cost.values)
        before = answers.tables[GroupTable.BLANKS]
        blanks = answers.make(GroupTable.BLANKS, blanking.settled_blanks, before, indexes, answers.k)
        answers.assign(blanking.assignment, blanks)
        return Counts()


def with_blanks(answers: GroupAnswers, labels: Relation, frozen: Sequence[str] = ()) -> Relation:
    """What the groups publish, blanks included where the search made any; `frozen`: further columns of the labels that go along."""
    bench, blanks = answers.bench, answers.tables.get(GroupTable.BLANKS)
    if blanks is None:
        return labels
    indexes = list(range(len(bench.attributes)))
    ranges = [index for index in indexes if is_range(bench, index)]
    table = (
        bench.names.blanked_labels
        if labels == bench.names.labels
        else Relation((*labels.parts[:-1], f"{labels.name}_blanked"))
    )
    statement = statements.cluster.blanking.blanked_labels(
        bench.dialect, table, labels, answers.assignment, blanks, indexes, ranges, frozen
    )
    bench.make_table(table, statement)
    return table
