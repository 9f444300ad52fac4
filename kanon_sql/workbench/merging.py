"""Answers the questions of merging clusters: every cluster under k in every block chooses a partner in the same statement."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import MergePairs, StartMerging
from kanon_sql.cluster.questions import Counts
from kanon_sql.metrics.covered import finite_value
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import UNIT, Boxes, RangeCode, SetCode
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.merge_cost import IMPORTANCE_UNIT, AttributeWorth, RuleWorth, Worth
from kanon_sql.workbench.objectives import build_weights, resolutions
from kanon_sql.workbench.rounds import PASSES, Rounds
from kanon_sql.workbench.rules import check_rules
from kanon_sql.workbench.workbench import Workbench

MOST_STEPS = 1 << 20
"""A range of more steps of resolution is weighed as if it had so many."""


class Merging:
    """The clusters of the blocks; the assignment follows them."""

    def __init__(self, rounds: Rounds, question: StartMerging) -> None:
        self.rounds = rounds
        self.dialect = rounds.dialect
        self.backend = rounds.bench.backend
        self.boxes = rounds.coded.boxes if question.measure == "loss" else rounds.coded.boxes.asking()
        values = (
            research_values(rounds.bench.origin or rounds.bench, self.boxes)
            if question.measure == "research_value"
            else {}
        )
        self.worth = Worth(self.boxes, question.measure, values)
        rows, blocks = rounds.coded.rows, None if question.whole else rounds.tables["assign"]
        self.free = rounds.make(
            "free",
            lambda table: statements.cluster.growing.free_rows(self.dialect, table, rows, blocks, self.boxes, rounds.k),
            analyze=True,
        )
        assign = rounds.make(
            "assign",
            lambda table: statements.cluster.merging.identical_rows(self.dialect, table, self.free, self.boxes),
            analyze=True,
        )
        self.clusters = self._first(assign)
        rounds.fresh = False

    def _first(self, assign: Relation) -> Relation:
        return self.rounds.make(
            "clusters",
            lambda table: statements.cluster.merging.clusters(
                self.dialect, table, assign, self.free, self.boxes, self.worth
            ),
            analyze=True,
        )

    def merge(self, question: MergePairs) -> Counts:
        """One round of mergers."""
        dialect, boxes, worth, rounds = self.dialect, self.boxes, self.worth, self.rounds
        clusters, assign, k = self.clusters, rounds.tables["assign"], rounds.k
        partners = rounds.make(
            "partners",
            lambda table: statements.cluster.merging.partners(
                dialect, table, clusters, boxes, worth, gain=question.objective == "gain", k=k
            ),
            analyze=True,
        )
        taken = rounds.make(
            "taken",
            lambda table: statements.cluster.moving.chosen_moves(dialect, table, partners, PASSES),
            analyze=True,
        )
        rounds.make(
            "assign",
            lambda table: statements.cluster.merging.merged_assignment(dialect, table, assign, taken),
            analyze=True,
        )
        self.clusters = rounds.make(
            "clusters",
            lambda table: statements.cluster.merging.merged_clusters(dialect, table, clusters, taken, boxes, worth),
            analyze=True,
        )
        found = self.backend.fetch_one(statements.cluster.merging.merge_counts(dialect, taken, self.clusters, k))
        return Counts(done=int(found[0]), groups=int(found[1]), small=int(found[2]))


def research_values(bench: Workbench, boxes: Boxes) -> dict[int, AttributeWorth]:
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
                own.append(RuleWorth(sides, int(rule.rule.importance * IMPORTANCE_UNIT + 0.5)))
        full = code.full if isinstance(code, RangeCode) else int(weights.values[code.index] * width * UNIT + 0.5)
        values[code.index] = AttributeWorth(code, full, steps.get(code.index, 1), base, tuple(own))
    return values


def _steps(bench: Workbench, ranges: list[int]) -> dict[int, int]:
    """Units of resolution between the least and the greatest value of each numeric."""
    if not ranges:
        return {}
    units = resolutions(bench)
    widths = [(i, bench.names.dictionary(i), finite_value(bench.dialect, bench.attributes[i])) for i in ranges]
    return {
        int(i): min(MOST_STEPS, int(float(width) / units[int(i)] + 0.5))
        for i, width in bench.backend.fetch(statements.cluster.merging.range_widths(bench.dialect, widths))
    }
