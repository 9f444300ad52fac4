"""What may be shown of a release: its classes by size, a sample before and after, what every level costs. Nothing of a class below k."""

from __future__ import annotations

from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.measure import CellMeasure, CellSums, computation
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import meaning
from kanon_sql.model.measures import searched_measures
from kanon_sql.model.rules import ApartRule
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import label_column
from kanon_sql.workbench.cells import figure_sums
from kanon_sql.workbench.objectives import build_weights, research_value
from kanon_sql.workbench.workbench import Workbench

SAMPLE = 12
SOURCES = 400
"""Combinations of the source looked through for those that belong to the sample."""


@dataclass(frozen=True)
class SampleRow:
    """A published class, and a combination of source values in it that k rows share already (None where there is none)."""

    labels: tuple[str | None, ...]
    rows: int
    before: tuple[str | None, ...] | None = None
    values: tuple[int, ...] = ()
    """How many different values of the source each label stands for."""


def sample(bench: Workbench, release: Relation, columns: list[str], node: Node | None) -> list[SampleRow]:
    """Some published classes; beside each a source combination that is safe to show, where one is."""
    k = bench.job.privacy.k
    found = bench.backend.fetch(statements.evaluate.sample_classes(bench.dialect, release, columns, k, SAMPLE))
    classes = [SampleRow(tuple(_text(label) for label in row[:-1]), int(row[-1])) for row in found]
    if node is None:
        return classes
    wanted = [
        (i, bench.names.dictionary(i), label_column(level) if level < bench.attributes[i].star else None)
        for i, level in enumerate(node)
    ]
    statement = statements.evaluate.sample_sources(
        bench.dialect, bench.names.base, wanted, bench.counts_persons, k, SOURCES
    )
    before: dict[tuple[str | None, ...], tuple[str | None, ...]] = {}
    for row in bench.backend.fetch(statement):
        cells = row[:-1]
        before.setdefault(tuple(_text(c) for c in cells[1::2]), tuple(_text(c) for c in cells[0::2]))
    labels = [
        (i, table, column, sorted({row.labels[i] for row in classes if row.labels[i] is not None}, key=str))
        for i, table, column in wanted
    ]
    counted = {
        (int(row[0]), _text(row[1])): int(row[2])
        for row in bench.backend.fetch(statements.evaluate.label_values(bench.dialect, labels))
    }
    return [
        SampleRow(
            row.labels,
            row.rows,
            before.get(row.labels),
            tuple(counted.get((i, label), 1) for i, label in enumerate(row.labels)),
        )
        for row in classes
    ]


def class_size_bins(bench: Workbench, release: Relation, columns: list[str]) -> list[dict[str, Any]]:
    """Classes and rows by size, in bins that double from k."""
    k = max(1, bench.job.privacy.k)
    bins: dict[int, list[int]] = {}
    for size, classes in bench.backend.fetch(statements.evaluate.size_histogram(bench.dialect, release, columns)):
        place, low = 0, k
        while int(size) >= low * 2:
            place, low = place + 1, low * 2
        entry = bins.setdefault(place, [0, 0])
        entry[0] += int(classes)
        entry[1] += int(classes) * int(size)
    return [
        {"size": f"{k * 2**place}–{k * 2 ** (place + 1) - 1}", "classes": classes, "rows": rows}
        for place, (classes, rows) in sorted(bins.items())
    ]


def level_costs(bench: Workbench, node: Node | None) -> list[dict[str, Any]]:
    """For every level of every attribute: what it means, its labels, its loss by each cell measure and its research value, nothing
    suppressed."""
    measures = {name: m for name in searched_measures() if isinstance(m := computation(name), CellMeasure)}
    losses = {
        (i, level, name): measure.cell_loss(bench.dialect, attribute, i, level)
        for i, attribute in enumerate(bench.attributes)
        for level in range(len(attribute.levels))
        for name, measure in measures.items()
    }
    found = figure_sums(bench, ((i, place, loss) for place, ((i, _, _), loss) in enumerate(losses.items())))
    sums = {key: found[key[0], place] for place, key in enumerate(losses)}
    values = research_value(bench, build_weights(bench))
    worth = [[max(part) - loss for loss in part] for part in values.parts]
    return [
        {
            "column": attribute.name,
            "level": level,
            "meaning": meaning(attribute.levels[level]),
            "labels": bench.sizes[i][level],
        }
        | {
            name: measure.of_attribute(CellSums(sums[i, level, name], sums[i, attribute.star, name]), bench.rows)
            for name, measure in measures.items()
        }
        | {"rv": worth[i][level], "chosen": node is not None and node[i] == level}
        for i, attribute in enumerate(bench.attributes)
        for level in range(len(attribute.levels))
    ]


def rare_rule_values(bench: Workbench) -> set[str]:
    """Values that rules name and fewer than k rows have: a report must not name them."""
    named = [
        (i, r, text)
        for i, attribute in enumerate(bench.attributes)
        for r, rule in enumerate(attribute.rules)
        if isinstance(rule, ApartRule)
        for text in (*rule.left, *rule.right)
    ]
    if not named:
        return set()
    wanted = [
        (i, r, place, bench.names.dictionary(i), f"label_0 = {bench.dialect.text_literal(text)}")
        for place, (i, r, text) in enumerate(named)
    ]
    rows = {
        int(row[2]): int(row[3]) for row in bench.backend.fetch(statements.metrics.rule_rows(bench.dialect, wanted))
    }
    return {text for place, (_, _, text) in enumerate(named) if rows.get(place, 0) < bench.job.privacy.k}


def published_as(attribute: Attribute, level: int) -> str:
    return meaning(attribute.levels[level])


def _text(value: object) -> str | None:
    return None if value is None else str(value)
