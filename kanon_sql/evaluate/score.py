"""Every measure of a published release, global or local, against its source: one statement reads the release, one its classes, one its cells.

A release carries no row ids, and none are needed: a label covers the values of the source's dictionary that stand under it, the rows
that are missing are the suppressed ones, and a class is what shares all published labels.
"""

from __future__ import annotations

import dataclasses
import itertools
from collections.abc import Sequence
from dataclasses import field
from typing import Any

from kanon_sql.backends.rows import Row
from kanon_sql.errors import ColumnError, JobError
from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import Cover, finite_value
from kanon_sql.metrics.measure import (
    CellMeasure,
    CellSums,
    ClassMeasure,
    ClassTotals,
    Computation,
    NodeMeasure,
    RowMeasure,
    measures_for,
)
from kanon_sql.metrics.research_value import RowValue
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.counted import counted
from kanon_sql.model.lattice import Node
from kanon_sql.model.measures import MEASURES
from kanon_sql.model.rules import CutRule, Rule
from kanon_sql.model.verdict import Verdict
from kanon_sql.results import Result
from kanon_sql.sql import published_labels, statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statements.metrics import ScoredAttribute, ScoredMeasure
from kanon_sql.workbench.objectives import Weights, build_weights, levels_of, resolutions
from kanon_sql.workbench.rules import number, rules_at, sides
from kanon_sql.workbench.workbench import Workbench

SIZES = ("1", "2-4", "5-9", "10-19", "20-99", "100+")


@dataclass(frozen=True)
class Score(Result):
    """`node` is the node of a global recoding, None for a local one. Measures that make no sense are left out.

    `published`: the release's frequency set, label_<i> of every quasi-identifier and n, while its workbench is open.
    """

    measures: dict[str, float]
    attributes: dict[str, dict[str, Any]]
    recoding: str
    node: Node | None
    class_sizes: dict[str, int]
    rules: list[dict[str, object]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    published: Relation | None = None

    def to_dict(self) -> dict[str, Any]:
        return {
            "measures": self.measures,
            "attributes": self.attributes,
            "recoding": self.recoding,
            "class_sizes": self.class_sizes,
            "rules": self.rules,
            "notes": self.notes,
        }

    def records(self) -> list[dict[str, Any]]:
        """One row per quasi-identifier."""
        return [{"column": name} | figures for name, figures in self.attributes.items()]

    def _figures(self) -> dict[str, Any]:
        return {"recoding": self.recoding} | self.measures


def score_release(bench: Workbench, release: Relation) -> Score:
    """The score of a release. The workbench needs its dictionaries; with automatic weights it needs its base as well."""
    notes: list[str] = []
    labels, target = published_labels_of(bench, release, notes)
    # A workbench may score several releases, and drop tables between them.
    names = (bench.names.published(f"score_{number}") for number in itertools.count(len(bench.made)))
    table = next(name for name in names if ("table", name) not in bench.made)
    bench.make_table(table, statements.metrics.published(bench.dialect, table, release, labels, target))
    weights = build_weights(bench)
    units = resolutions(bench)
    measures = measures_for(target is not None)
    described = [
        dataclasses.replace(
            described_attribute(bench, i, units.get(i, 1.0)),
            measures=_cell_measures(bench, i, measures, weights, units.get(i, 1.0)),
        )
        for i in range(len(bench.attributes))
    ]
    sums = tuple(dict.fromkeys(one for m in measures.values() if isinstance(m, ClassMeasure) for one in m.sums))
    backend, dialect = bench.backend, bench.dialect
    classes = backend.fetch_one(statements.metrics.score_classes(dialect, table, len(bench.attributes), sums))
    cells = {int(row.attribute): row for row in backend.fetch(statements.metrics.score(dialect, table, described))}
    score = _scored(bench, weights, measures, classes, [cells[i] for i in range(len(described))], notes)
    return dataclasses.replace(score, published=table)


def published_labels_of(bench: Workbench, release: Relation, notes: list[str]) -> tuple[list[str], str | None]:
    """The label of each quasi-identifier in the release, as text, and the target's column if it is there to be predicted."""
    have = {column.name: column.kind for column in bench.backend.describe(release)}
    if not have:
        raise ColumnError(f"there is no table or view {release}", "name the release with --release schema.table")
    labels: list[str] = []
    missing: list[str] = []
    for attribute in bench.attributes:
        low, high = f"{attribute.name}_lo", f"{attribute.name}_hi"
        if attribute.name in have:
            labels.append(bench.dialect.printed(bench.dialect.identifier(attribute.name), have[attribute.name]))
        elif low in have and high in have:
            ends = [bench.dialect.identifier(name) for name in (low, high)]
            labels.append(published_labels.interval_label(bench.dialect, ends[0], ends[1]))
        else:
            missing.append(attribute.name)
            labels.append(bench.dialect.as_text("'*'"))
    if len(missing) == len(bench.attributes):
        raise ColumnError(f"{release} has none of the job's quasi-identifiers", "is it a release of this job?")
    notes += [f"{release} has no column {name}: it counts as `*`" for name in missing]
    target = bench.job.utility.target
    if target is not None and target in [attribute.name for attribute in bench.attributes]:
        notes.append(
            f"the target {target} is a quasi-identifier: a release alone does not tell its classification error"
        )
        return labels, None
    if target is not None and target not in have:
        notes.append(f"{release} has no column {target}: classification error is left out")
        return labels, None
    return labels, target


def described_attribute(bench: Workbench, index: int, resolution: float) -> ScoredAttribute:
    """How the labels of an attribute are read."""
    attribute, dialect = bench.attributes[index], bench.dialect
    return ScoredAttribute(
        index=index,
        dictionary=bench.names.dictionary(index),
        star=attribute.star,
        numeric=attribute.numeric,
        finite=finite_value(dialect, attribute) if attribute.numeric else f"cast(null as {dialect.types['double']})",
        resolution=resolution,
        sides=tuple(sides(dialect, attribute, rule) for rule in attribute.rules),
        interval_breaks=tuple(_interval_breaks(dialect, attribute, rule) for rule in attribute.rules),
        covers_null=published_labels.covers_null("label"),
        without_null=published_labels.without_null("label"),
        is_interval=published_labels.is_interval(dialect, "bare"),
        low=published_labels.interval_low(dialect, "bare"),
        high=published_labels.interval_high(dialect, "bare"),
        is_set=published_labels.is_set("bare"),
        set_has=published_labels.set_has(dialect, "rest.bare", "members.label_0"),
        set_length=published_labels.set_length("bare"),
        element=published_labels.element(dialect, "value", "label_0"),
        elements=published_labels.elements(dialect, "bare", "has_null = 1"),
    )


def _cell_measures(
    bench: Workbench, index: int, measures: dict[str, Computation], weights: Weights, resolution: float
) -> tuple[ScoredMeasure, ...]:
    """The cell measures of an attribute, over what the statement knows of a label."""
    dialect, attribute, utility = bench.dialect, bench.attributes[index], bench.job.utility
    span = "coalesce((high - low) / nullif(domain.width, 0), 0)"
    cover = Cover(dialect, attribute, "cells.size", "domain.size", span, "cells.source_rows")
    whole = Cover(dialect, attribute, "domain.size", "domain.size", "1", "domain.source_rows")
    worth = RowValue(
        weight=weights.values[index],
        resolution=resolution,
        granularity_power=2 * (1 - utility.importance),
        rules_power=2 * utility.importance,
        base=utility.base,
        importances=tuple(rule.importance for rule in attribute.rules),
        expert=attribute.expert_rv or (),
    )
    scored = []
    for name, measure in measures.items():
        if isinstance(measure, CellMeasure):
            own = "0" if measure.own is None else measure.own(dialect)
            star = measure.star(whole) if measure.needs_star else "0"
            scored.append(ScoredMeasure(name, measure.covered(cover), measure.star(cover), own, star))
        elif isinstance(measure, RowMeasure):
            scored.append(ScoredMeasure(name, measure.value(cover, worth), measure.at_star(cover, worth)))
    return tuple(scored)


def _interval_breaks(dialect: Dialect, attribute: Attribute, rule: Rule) -> str:
    """When an interval holds values of both sides of a rule: it reaches from below the cut to the cut, or over both values."""
    if not attribute.numeric:
        return "1 = 0"
    if isinstance(rule, CutRule):
        cut = number(dialect, attribute, rule.cut)
        return f"ends.low < {cut} and ends.high >= {cut}"

    def holds(texts: Sequence[str]) -> str:
        numbers = [number(dialect, attribute, text) for text in texts]
        return " or ".join(f"ends.low <= {x} and ends.high >= {x}" for x in numbers if x is not None) or "1 = 0"

    return f"({holds(rule.left)}) and ({holds(rule.right)})"


def _scored(
    bench: Workbench,
    weights: Weights,
    measures: dict[str, Computation],
    classes: Row,
    cells: Sequence[Row],
    notes: list[str],
) -> Score:
    rows, kept = bench.rows, int(classes.released)
    if kept > rows:
        raise JobError(
            f"the release has {counted(kept, 'row')}, the source {rows:,}: it is not a release of this table as it stands",
            "score it against the table it was made from",
        )
    for attribute, row in zip(bench.attributes, cells, strict=True):
        if int(row.unread):
            raise ColumnError(
                f"columns.{attribute.name}: {counted(int(row.unread), 'label of the release is', 'labels of the release are')} neither of the "
                "job's levels nor intervals or sets of its values",
                "is it a release of this job and of this table?",
            )
    levels = [None if row.level is None else int(row.level) for row in cells]
    node = tuple(level for level in levels if level is not None) if None not in levels and kept else None
    figures = {
        "suppressed": rows - kept,
        "rows": rows,
        "released": kept,
        "classes": int(classes.classes),
        "k": int(classes.smallest),
        "largest_class": int(classes.largest),
        "median_class": float(classes.median or 0.0),
    }
    found = _measures(bench, weights, measures, classes, cells, node)
    return Score(
        measures=found | figures,
        attributes={
            attribute.name: _of_attribute(measures, row, rows, rows - kept)
            | {"weight": weights.values[i]}
            | ({} if node is None else {"level": node[i]})
            for i, (attribute, row) in enumerate(zip(bench.attributes, cells, strict=True))
        },
        recoding="local" if node is None else "global",
        node=node,
        class_sizes={name: int(getattr(classes, f"size_{place}")) for place, name in enumerate(SIZES)},
        rules=[] if node is None else rules_at(bench, node),
        notes=notes,
    )


def _measures(
    bench: Workbench,
    weights: Weights,
    measures: dict[str, Computation],
    classes: Row,
    cells: Sequence[Row],
    node: Node | None,
) -> dict[str, float]:
    """Every measure by name; one of nodes is left out where the release has none, unless another stands in for it."""
    rows, k = bench.rows, bench.job.privacy.k
    suppressed = rows - int(classes.released)
    levels = levels_of(bench, weights)
    found: dict[str, float] = {}
    for name, measure in measures.items():
        if isinstance(measure, CellMeasure):
            found[name] = measure.figure(
                [_cell_sums(name, measure, row, rows, suppressed) for row in cells], rows, weights.values
            )
        elif isinstance(measure, RowMeasure):
            found[name] = sum(float(getattr(row, f"lost_{name}")) for row in cells) / rows
        elif isinstance(measure, ClassMeasure):
            sums = {name: float(getattr(classes, name)) for name, _ in measure.sums}
            found[name] = measure.figure(ClassTotals(rows, suppressed, int(classes.classes), k, sums))
        elif node is not None:
            verdict = Verdict(node, True, int(classes.smallest), int(classes.classes), suppressed)
            found[name] = measure.figure(measure.objective(levels), verdict)
    stand_ins = {
        name: found[measure.without_node]
        for name, measure in measures.items()
        if isinstance(measure, NodeMeasure) and measure.without_node is not None and node is None
    }
    return stand_ins | found


def _cell_sums(name: str, measure: CellMeasure, row: Row, rows: int, suppressed: int) -> CellSums:
    """What an attribute's cells lose, the suppressed rows included."""
    lost, own, star = (float(getattr(row, f"{what}_{name}") or 0.0) for what in ("lost", "own", "star"))
    out = suppressed * (star if measure.suppressed is None else measure.suppressed)
    return CellSums(max(0.0, lost + out - own), max(0.0, rows * star - own))


def _of_attribute(measures: dict[str, Computation], row: Row, rows: int, suppressed: int) -> dict[str, Any]:
    """An attribute's own figures."""
    figures: dict[str, Any] = {"labels": int(row.labels), "values": int(row.domain_size or 0)}
    for name, measure in measures.items():
        if isinstance(measure, CellMeasure) and MEASURES[name].searched:
            figures[name] = measure.of_attribute(_cell_sums(name, measure, row, rows, suppressed), rows)
        elif isinstance(measure, RowMeasure):
            figures[name] = float(getattr(row, f"lost_{name}")) / rows
    return figures
