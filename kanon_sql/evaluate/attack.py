"""The attack check: what someone with the source's quasi-identifiers, or with knowledge of the search, gets out of a release.

Linkage: the release and the source are joined by the quasi-identifiers at the release's node; no row may have fewer than k
candidates on the other side. Minimality (Wong, Fu, Wang, Pei, VLDB 2007) and downcoding (Cohen, USENIX Security 2022): a search
that minimises loss stopped at this node because every direct specialization failed; where only one class can hold the failure,
that class is known to hold a group below k, and its rows are narrowed.
"""

from __future__ import annotations

from dataclasses import field
from typing import Any

from kanon_sql.errors import ColumnError, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import STAR_LABEL
from kanon_sql.results import Result
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import generalized
from kanon_sql.sql.relations import label_column
from kanon_sql.workbench.reading import as_read
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class AttackResult(Result):
    """What the attacks found. `passes`: no row on either side has fewer than k candidates, and no released row is a stranger.

    `node` is None where the release's labels are no levels of the job (local recoding): then a released row's candidates are
    those of its class in the release. `narrowed_share` is the share of rows whose class is narrowed by knowing that the
    search minimises; `single_value_rows` have a label that stands for one value of the source.
    """

    k: int
    node: dict[str, int] | None
    released_rows: int
    rows_below_k: int
    fewest_candidates: int
    source_rows_linked: int
    source_rows_below_k: int
    source_rows_unlinked: int
    stranger_rows: int
    narrowed_rows: int
    narrowed_classes: int
    single_value_rows: int
    advice: list[str] = field(default_factory=list)

    @property
    def passes(self) -> bool:
        return self.rows_below_k == 0 and self.source_rows_below_k == 0 and self.stranger_rows == 0

    @property
    def narrowed_share(self) -> float:
        return self.narrowed_rows / self.released_rows if self.released_rows else 0.0

    def to_dict(self) -> dict[str, Any]:
        return {
            "k": self.k,
            "node": self.node,
            "linkage": {
                "released_rows": self.released_rows,
                "rows_below_k": self.rows_below_k,
                "fewest_candidates": self.fewest_candidates,
                "source_rows_linked": self.source_rows_linked,
                "source_rows_below_k": self.source_rows_below_k,
                "source_rows_unlinked": self.source_rows_unlinked,
                "stranger_rows": self.stranger_rows,
            },
            "minimality": {
                "narrowed_rows": self.narrowed_rows,
                "narrowed_share": self.narrowed_share,
                "narrowed_classes": self.narrowed_classes,
                "single_value_rows": self.single_value_rows,
            },
            "advice": self.advice,
            "passes": self.passes,
        }

    def _figures(self) -> dict[str, Any]:
        document = self.to_dict()
        return {"k": self.k, **document["linkage"], **document["minimality"], "passes": self.passes}


def attack(bench: Workbench, table: Relation) -> AttackResult:
    """Attack a release of the prepared bench's job."""
    have = {column.name for column in bench.backend.describe(table)}
    if not have:
        raise JobError(f"there is no table or view {table.name}", "name a release with --release")
    if missing := [a.name for a in bench.attributes if a.name not in have]:
        raise ColumnError(f"{table.name} has no column {missing[0]}, a quasi-identifier of the job")
    table = as_read(bench, table, "attacked", labels=True)
    node = published_node(bench, table)
    return _attack_node(bench, table, node) if node is not None else _attack_groups(bench, table)


def published_node(bench: Workbench, table: Relation) -> Node | None:
    """The level each quasi-identifier of a release stands at: the one that knows all its labels and fits the most source rows.

    None where a column's labels belong to no level.
    """
    node: list[int] = []
    for index, attribute in enumerate(bench.attributes):
        rows = bench.backend.fetch(
            statements.checks.published_levels(
                bench.dialect, table, attribute.name, bench.names.dictionary(index), index, attribute.star
            )
        )
        fitting = [(-int(row.matched), int(row.level)) for row in rows if not row.unknown]
        if not fitting:
            return None
        node.append(min(fitting)[1])
    return tuple(node)


def _attack_node(bench: Workbench, table: Relation, node: Node) -> AttackResult:
    job = bench.job
    columns = [attribute.name for attribute in bench.attributes]
    person = job.source.person
    source = generalized(bench.dialect, bench.source, bench.attributes, node, person)
    linked = bench.backend.fetch_one(
        statements.checks.linkage(bench.dialect, table, columns, source, person, job.privacy.k)
    )
    below, rows_below = int(linked.released_below), int(linked.linked_below)
    unlinked, strangers = int(linked.unlinked), int(linked.strangers)
    attributes = [
        (
            attribute.name,
            bench.names.dictionary(index),
            index,
            level,
            bench.dialect.text_literal(STAR_LABEL) if level == attribute.star else label_column(level),
            level > attribute.min_level,
        )
        for index, (attribute, level) in enumerate(zip(bench.attributes, node, strict=True))
        if level > 0
    ]
    only_k = not job.privacy.sensitive_columns and job.privacy.population is None and not bench.counts_persons
    narrowed_rows = narrowed_classes = single = 0
    if attributes:
        narrowed = bench.backend.fetch_one(
            statements.checks.minimality(
                bench.dialect, table, columns, attributes, job.privacy.search_k, bench.budget - unlinked, only_k
            )
        )
        narrowed_rows, narrowed_classes = int(narrowed.narrowed_rows), int(narrowed.narrowed_classes)
        single = int(narrowed.single_rows)
    # With persons a source row's rows in the release may be fewer than persons behind them, never the other way round.
    return AttackResult(
        k=job.privacy.k,
        node=bench.lattice.describe(node),
        released_rows=int(linked.released),
        rows_below_k=below,
        fewest_candidates=min(int(linked.fewest_persons), int(linked.fewest_rows)),
        source_rows_linked=int(linked.linked),
        source_rows_below_k=rows_below,
        source_rows_unlinked=unlinked,
        stranger_rows=strangers,
        narrowed_rows=narrowed_rows,
        narrowed_classes=narrowed_classes,
        single_value_rows=single,
        advice=_advice(bench, narrowed_rows, single, below + rows_below, strangers),
    )


def _attack_groups(bench: Workbench, table: Relation) -> AttackResult:
    columns = [attribute.name for attribute in bench.attributes]
    k = bench.job.privacy.k
    sizes = bench.backend.fetch_one(statements.checks.risk(bench.dialect, table, columns, None, 1 / k))
    rare = bench.backend.fetch_one(statements.release.guard_rare_values(bench.dialect, table, [columns], k))
    pairs = [(a.name, bench.names.dictionary(i)) for i, a in enumerate(bench.attributes)]
    narrowed = bench.backend.fetch_one(statements.checks.unsplit(bench.dialect, table, pairs, k))
    below, narrowed_rows = int(rare.below), int(narrowed.narrowed_rows)
    return AttackResult(
        k=k,
        node=None,
        released_rows=int(sizes.rows),
        rows_below_k=below,
        fewest_candidates=int(sizes.smallest),
        source_rows_linked=0,
        source_rows_below_k=0,
        source_rows_unlinked=0,
        stranger_rows=0,
        narrowed_rows=narrowed_rows,
        narrowed_classes=int(narrowed.narrowed_classes),
        single_value_rows=0,
        advice=_advice(bench, narrowed_rows, 0, below, 0),
    )


def _advice(bench: Workbench, narrowed: int, single: int, below: int, strangers: int) -> list[str]:
    advice = []
    if below:
        advice.append("do not publish this table: run the job again, which verifies before it publishes")
    if strangers:
        advice.append(
            "the release holds rows that no row of the source fits: it was made of another source, or the source changed"
        )
    if narrowed:
        advice.append(
            f"set privacy.margin (now {bench.job.privacy.margin}): an attacker who does not know it cannot tell which groups fell below; "
            "or fix the level with min_level, so that it tells nothing of the data"
        )
        if bench.budget == 0:
            advice.append(
                "allow a small privacy.suppression: a failure then needs many rows, which no single class has to hold"
            )
    if single:
        advice.append(
            "labels that stand for one value hide nothing of it: give those columns groups that hold several values of the source"
        )
    return advice
