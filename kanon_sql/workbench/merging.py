"""Answers the questions of merging clusters: every cluster under k in every block chooses a partner in the same statement."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import MergePairs, StartMerging
from kanon_sql.cluster.questions import Counts
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT, Boxes, RangeCode, SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.merge_cost import IMPORTANCE_UNIT, AttributeValue, MergeCost, RuleValue
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statements.cluster.merging import MergedColumns
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.growing import free_rows
from kanon_sql.workbench.objectives import build_weights, resolutions
from kanon_sql.workbench.rules import check_rules
from kanon_sql.workbench.workbench import Workbench

MOST_STEPS = 1 << 20
"""A range of more steps of resolution is weighed as if it had so many."""


class Merging:
    """The clusters of the blocks; the assignment follows them."""

    def __init__(self, answers: GroupAnswers, question: StartMerging) -> None:
        self.answers = answers
        self.boxes = answers.coded.boxes if question.measure == "loss" else answers.coded.boxes.asking()
        values = (
            research_values(answers.bench.origin or answers.bench, self.boxes)
            if question.measure == "research_value"
            else {}
        )
        self.cost = MergeCost(self.boxes, question.measure, values)
        free = free_rows(answers, self.boxes, question.whole)
        merging = statements.cluster.merging
        answers.assign(merging.identical_rows, free, self.boxes)
        self.clusters = answers.make(
            GroupTable.CLUSTERS, merging.clusters, answers.assignment, free, self.boxes, self._first_figures()
        )

    def _first_figures(self) -> dict[str, str]:
        """What a cluster shows beside its box, at the beginning."""
        return statements.cluster.merging.loss_figure(self.cost, "box", "first_row")

    def merge(self, question: MergePairs) -> Counts:
        """One round of mergers."""
        merging, answers = statements.cluster.merging, self.answers
        gain = question.objective == "gain"
        partners = answers.make(
            GroupTable.OPERATIONS, merging.partners, self.clusters, self.boxes, self.cost, gain=gain, k=answers.k
        )
        chosen = answers.chosen_moves(partners)
        answers.assign(merging.merged_assignment, answers.assignment, chosen)
        return self._merge_clusters(chosen, chosen, merging.merged_columns(self.cost))

    def _merge_clusters(self, chosen: Relation, mergers: Relation, merged: MergedColumns) -> Counts:
        merging, answers = statements.cluster.merging, self.answers
        self.clusters = answers.make(GroupTable.CLUSTERS, merging.merged_clusters, self.clusters, mergers, merged)
        found = answers.count(merging.merge_counts, chosen, self.clusters, answers.k)
        return Counts(done=int(found.mergers), groups=int(found.clusters), small=int(found.small))


def research_values(bench: Workbench, boxes: Boxes) -> dict[int, AttributeValue]:
    """What each attribute is worth in a group, with the rules on it."""
    width = len(bench.attributes)
    weights = build_weights(bench)
    rules = check_rules(bench).rules
    base = int(bench.job.utility.base * IMPORTANCE_UNIT + 0.5)
    steps = _steps(bench, [code.index for code in boxes.codes if isinstance(code, RangeCode)])
    values = {}
    for code in boxes.codes[:width]:
        own = []
        for place, rule in enumerate(rules):
            if rule.attribute == code.index:
                sides = boxes.codes[width + place]
                assert isinstance(sides, SetCode)
                own.append(RuleValue(sides, int(rule.rule.importance * IMPORTANCE_UNIT + 0.5)))
        full = code.full if isinstance(code, RangeCode) else int(weights.values[code.index] * width * UNIT + 0.5)
        values[code.index] = AttributeValue(code, full, steps.get(code.index, 1), base, tuple(own))
    return values


def _steps(bench: Workbench, ranges: list[int]) -> dict[int, int]:
    """Units of resolution between the least and the greatest value of each numeric."""
    if not ranges:
        return {}
    units = resolutions(bench)
    widths = [(i, bench.names.dictionary(i), finite_value(bench.dialect, bench.attributes[i])) for i in ranges]
    return {
        int(row.attribute): min(MOST_STEPS, int(float(row.width) / units[int(row.attribute)] + 0.5))
        for row in bench.backend.fetch(statements.cluster.merging.range_widths(bench.dialect, widths))
    }
