"""Every measure of a published release, global or local, against its source: one statement reads the release, one scores it.

A release carries no row ids, and none are needed: a label covers the values of the source's dictionary that stand under it, the rows
that are missing are the suppressed ones, and a class is what shares all published labels.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from kanon_sql.errors import ColumnError, JobError
from kanon_sql.metrics.average_class_size import average_class_size
from kanon_sql.metrics.c_avg import c_avg
from kanon_sql.metrics.classification import classification_error
from kanon_sql.metrics.covered import finite_value
from kanon_sql.metrics.discernibility import discernibility
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.rules import CutRule, Rule
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql import published_labels, statements
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.statements.metrics import ScoredAttribute
from kanon_sql.workbench.objectives import Weights, build_weights, research_value, resolutions
from kanon_sql.workbench.rules import number, rules_at, sides
from kanon_sql.workbench.workbench import Workbench

SIZES = ("1", "2-4", "5-9", "10-19", "20-99", "100+")


@dataclass(frozen=True)
class Score:
    """`node` is the node of a global recoding, None for a local one. Measures that make no sense are left out."""

    measures: dict[str, float]
    attributes: dict[str, dict[str, Any]]
    recoding: str
    node: Node | None
    class_sizes: dict[str, int]
    rules: list[dict[str, object]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        return {
            "measures": self.measures,
            "attributes": self.attributes,
            "recoding": self.recoding,
            "class_sizes": self.class_sizes,
            "rules": self.rules,
            "notes": self.notes,
        }


def score_release(bench: Workbench, release: Relation) -> Score:
    """The score of a release. The workbench needs its dictionaries; with automatic weights it needs its base as well."""
    notes: list[str] = []
    labels, target = published_labels_of(bench, release, notes)
    what = f"published_{len(bench.made)}"  # a workbench may score several releases
    table = bench.names.work(what)
    bench.make_table(what, statements.metrics.published(bench.dialect, table, release, labels, target))
    weights = build_weights(bench)
    units = resolutions(bench)
    described = [described_attribute(bench, i, weights, units.get(i, 1.0)) for i in range(len(bench.attributes))]
    statement = statements.metrics.score(bench.dialect, table, described, target is not None)
    found = {int(row[0]): [None if f is None else float(f) for f in row[1:]] for row in bench.backend.fetch(statement)}
    return _scored(bench, weights, found, notes)


def published_labels_of(bench: Workbench, release: Relation, notes: list[str]) -> tuple[list[str], str | None]:
    """The label of each quasi-identifier in the release, as text, and the target's column if it is there to be predicted."""
    have = [column.name for column in bench.backend.describe(release)]
    if not have:
        raise ColumnError(f"there is no table or view {release}", "name the release with --release schema.table")
    labels: list[str] = []
    missing: list[str] = []
    for attribute in bench.attributes:
        low, high = f"{attribute.name}_lo", f"{attribute.name}_hi"
        if attribute.name in have:
            labels.append(bench.dialect.as_text(bench.dialect.identifier(attribute.name)))
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


def described_attribute(bench: Workbench, index: int, weights: Weights, resolution: float) -> ScoredAttribute:
    attribute, dialect = bench.attributes[index], bench.dialect
    importances = tuple(rule.importance for rule in attribute.rules)
    base, factor = bench.job.utility.base, bench.job.utility.importance
    return ScoredAttribute(
        index=index,
        dictionary=bench.names.dictionary(index),
        star=attribute.star,
        numeric=attribute.numeric,
        lookup=bool(attribute.lookup),
        finite=finite_value(dialect, attribute) if attribute.numeric else f"cast(null as {dialect.types['double']})",
        weight=weights.values[index],
        resolution=resolution,
        granularity_power=2 * (1 - factor),
        rules_power=2 * factor,
        rules_base=base,
        rules_whole=base + sum(importances),
        importances=importances,
        sides=tuple(sides(dialect, attribute, rule) for rule in attribute.rules),
        interval_breaks=tuple(_interval_breaks(dialect, attribute, rule) for rule in attribute.rules),
        expert=attribute.expert_rv or (),
        covers_null=published_labels.covers_null("label"),
        without_null=published_labels.without_null("label"),
        is_interval=published_labels.is_interval(dialect, "bare"),
        low=published_labels.interval_low(dialect, "bare"),
        high=published_labels.interval_high(dialect, "bare"),
        is_set=published_labels.is_set("bare"),
        set_has=published_labels.set_has(dialect, "rest.bare", "members.label_0"),
        set_length=published_labels.set_length("bare"),
        element=published_labels.set_element(dialect, "label_0"),
        elements=published_labels.elements(dialect, "bare", "has_null = 1"),
    )


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


def _scored(bench: Workbench, weights: Weights, found: dict[int, list[float | None]], notes: list[str]) -> Score:
    rows, width, k = bench.rows, len(bench.attributes), bench.job.privacy.k
    classes, released, squares, least, largest, median, majority = found[-1][:7]
    kept, number_of_classes = int(released or 0), int(classes or 0)
    if kept > rows:
        raise JobError(
            f"the release has {kept} rows, the source {rows}: it is not a release of this table as it stands",
            "score it against the table it was made from",
        )
    suppressed = rows - kept
    for i, attribute in enumerate(bench.attributes):
        if unknown := int(found[i][2] or 0):
            raise ColumnError(
                f"columns.{attribute.name}: {unknown} labels of the release are neither of the job's levels nor intervals "
                "or sets of its values",
                "is it a release of this job and of this table?",
            )
    levels = [None if found[i][1] is None else int(found[i][1] or 0) for i in range(width)]
    node = tuple(level for level in levels if level is not None) if None not in levels and kept else None
    per_attribute = {
        attribute.name: _attribute_score(found[i], rows, kept, suppressed) | {"weight": weights.values[i]}
        for i, attribute in enumerate(bench.attributes)
    }
    parts = list(per_attribute.values())
    bits = sum(float(part.pop("lost_bits")) for part in parts)
    most_bits = sum(float(part.pop("most_bits")) for part in parts)
    by_rows = sum(float(found[i][7] or 0.0) for i in range(width)) / rows
    measures: dict[str, float] = {
        "rv": by_rows,
        "rv_by_rows": by_rows,
        "ncp": sum(part["ncp"] for part in parts) / width,
        "weighted_ncp": sum(part["weight"] * part["ncp"] for part in parts),
        "glm": sum(part["glm"] for part in parts) / width,
        "entropy": bits / most_bits if most_bits > 0 else 0.0,
        "discernibility": discernibility(squares or 0.0, suppressed, rows),
        "c_avg": c_avg(kept, number_of_classes, k),
        "average_class_size": average_class_size(kept, number_of_classes),
        "suppressed": suppressed,
        "rows": rows,
        "released": kept,
        "classes": number_of_classes,
        "k": int(least or 0),
        "largest_class": int(largest or 0),
        "median_class": median or 0.0,
    }
    rules: list[dict[str, object]] = []
    if node is not None:
        objective = research_value(bench, weights)
        verdict = Verdict(node, True, int(least or 0), number_of_classes, suppressed)
        measures["rv"] = objective.ceiling - objective.loss(verdict)
        measures["height"] = sum(node)
        rules = rules_at(bench, node)
        for attribute, level in zip(bench.attributes, node, strict=True):
            per_attribute[attribute.name]["level"] = level
    if majority is not None:
        measures["classification"] = classification_error(majority, rows)
    sizes = {name: int(count or 0) for name, count in zip(SIZES, found[-1][7:], strict=True)}
    return Score(measures, per_attribute, "local" if node is None else "global", node, sizes, rules, notes)


def _attribute_score(figures: Sequence[float | None], rows: int, kept: int, suppressed: int) -> dict[str, Any]:
    """What an attribute's cells lose; a suppressed row costs 1 per cell, and as many bits as at `*`."""
    from math import log2

    labels, _, _, _, glm, ncp, covered_bits, rv, values, own_bits = figures[:10]
    lost = (covered_bits or 0.0) + suppressed * log2(rows) - (own_bits or 0.0)
    most = rows * log2(rows) - (own_bits or 0.0)
    return {
        "labels": int(labels or 0),
        "values": int(values or 0),
        "glm": ((glm or 0.0) + suppressed) / rows,
        "ncp": ((ncp or 0.0) + suppressed) / rows,
        "entropy": lost / most if most > 0 else 0.0,
        "rv_by_rows": (rv or 0.0) / rows,
        "lost_bits": max(0.0, lost),
        "most_bits": max(0.0, most),
    }
