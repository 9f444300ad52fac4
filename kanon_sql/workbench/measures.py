"""Every measure of one node: what a plan reports beside the one it searched for."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping

from kanon_sql.metrics.discernibility import SQUARES
from kanon_sql.metrics.measure import CellMeasure, CellSums, ClassMeasure, ClassTotals, NodeMeasure, measures_for
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql import statements
from kanon_sql.workbench.cells import figure_sums
from kanon_sql.workbench.objectives import Weights, levels_of, target_columns
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench

Expressions = list[tuple[int, str]]
"""(attribute, expression over its dictionary)"""


def measures_at(bench: Workbench, weights: Weights, verdict: Verdict) -> dict[str, float]:
    """The measures of a node by name. `verdict` is a check's: its classes and suppressed rows are those of the job's k."""
    measures = measures_for(bench.job.utility.target is not None)
    levels = levels_of(bench, weights)
    unscored = dataclasses.replace(verdict, loss=None)
    cells = _cell_sums(bench, verdict, {n: m for n, m in measures.items() if isinstance(m, CellMeasure)})
    totals = _class_totals(bench, verdict, {n: m for n, m in measures.items() if isinstance(m, ClassMeasure)})
    found: dict[str, float] = {}
    for name, measure in measures.items():
        if isinstance(measure, CellMeasure):
            found[name] = measure.figure(cells[name], bench.rows, weights.values)
        elif isinstance(measure, ClassMeasure):
            found[name] = measure.figure(totals)
        elif isinstance(measure, NodeMeasure):
            found[name] = measure.figure(measure.objective(levels), unscored)
    return found


def _cell_sums(bench: Workbench, verdict: Verdict, measures: Mapping[str, CellMeasure]) -> dict[str, list[CellSums]]:
    """For each measure and attribute: what the cells lose, suppressed rows included, and what they lose at `*` where that matters."""
    attributes = list(enumerate(bench.attributes))
    at_level = {
        (name, i): measure.cell_loss(bench.dialect, attribute, i, verdict.node[i])
        for name, measure in measures.items()
        for i, attribute in attributes
    }
    at_star = {
        (name, i): measure.cell_loss(bench.dialect, attribute, i, attribute.star)
        for name, measure in measures.items()
        if measure.needs_star
        for i, attribute in attributes
    }
    # Measures share expressions: each is computed once.
    stars = list(dict.fromkeys((i, expression) for (_, i), expression in at_star.items()))
    wanted = list(dict.fromkeys([*((i, expression) for (_, i), expression in at_level.items()), *stars]))
    if verdict.suppressed:
        kept, every_row = _sums_over_kept(bench, verdict, wanted), _sums(bench, stars)
    else:
        kept = every_row = _sums(bench, wanted)

    def of_attribute(name: str, measure: CellMeasure, i: int) -> CellSums:
        lost = kept[i, at_level[name, i]]
        star = (i, at_star[name, i]) if measure.needs_star else None
        most = every_row[star] if star else 0.0
        if measure.suppressed is None and star:
            return CellSums(lost + most - kept[star], most)
        return CellSums(lost + verdict.suppressed * (measure.suppressed or 0.0), most)

    return {name: [of_attribute(name, m, i) for i, _ in attributes] for name, m in measures.items()}


def _sums(bench: Workbench, wanted: Expressions) -> dict[tuple[int, str], float]:
    """Each expression, summed over all rows."""
    found = figure_sums(bench, ((i, place, expression) for place, (i, expression) in enumerate(wanted)))
    return {(i, expression): found[i, place] for place, (i, expression) in enumerate(wanted)}


def _sums_over_kept(bench: Workbench, verdict: Verdict, wanted: Expressions) -> dict[tuple[int, str], float]:
    """Each expression, summed over the rows of the classes that the node keeps."""
    by_attribute = [[e for i, e in wanted if i == index] for index in range(len(bench.attributes))]
    width = max(map(len, by_attribute))
    described = [
        (i, bench.names.dictionary(i), [*expressions, *["0"] * (width - len(expressions))])
        for i, expressions in enumerate(by_attribute)
    ]
    shape = build_shape(bench, (SQUARES,), ()).shape
    keys = bench.keys(verdict.node)
    statement = statements.metrics.node_measures(bench.dialect, bench.frequency_source, keys, shape, described)
    sums = dict.fromkeys(wanted, 0.0)
    for row in bench.backend.fetch(statement):
        for expression, total in zip(by_attribute[int(row[0])], row[1:], strict=False):
            sums[int(row[0]), expression] = float(total)
    return sums


def _class_totals(bench: Workbench, verdict: Verdict, measures: Mapping[str, ClassMeasure]) -> ClassTotals:
    """The totals of the kept classes, with every sum that a measure needs; what the check did not count is counted now."""
    missing = {
        name: measure for name, measure in measures.items() if any(s not in verdict.sums for s, _ in measure.sums)
    }
    sums = dict(verdict.sums)
    if missing:
        wanted = tuple(dict.fromkeys(one for measure in missing.values() for one in measure.sums))
        columns = dict.fromkeys(c for name, measure in missing.items() for c in target_columns(bench, name, measure))
        shape = build_shape(bench, wanted, tuple(columns)).shape
        keys = [bench.keys(verdict.node)]
        statement = statements.checks.frequency_sets(bench.dialect, bench.frequency_source, keys, shape)
        row = bench.backend.fetch_one(statement)
        sums |= {name: float(getattr(row, name)) for name, _ in wanted}
    return ClassTotals(bench.rows, verdict.suppressed, verdict.kept_classes, bench.job.privacy.k, sums)
