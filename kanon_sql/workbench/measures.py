"""Every measure of one node: what a plan reports beside the one it searched for."""

from __future__ import annotations

import dataclasses

from kanon_sql.metrics import entropy, glm, ncp
from kanon_sql.metrics.average_class_size import average_class_size
from kanon_sql.metrics.c_avg import c_avg
from kanon_sql.metrics.classification import MAJORITY, classification_error, majority_column
from kanon_sql.metrics.discernibility import SQUARES, discernibility
from kanon_sql.metrics.height import height_objective
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql import statements
from kanon_sql.workbench.cells import figure_sums
from kanon_sql.workbench.objectives import Weights, research_value
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.workbench import Workbench


def measures_at(bench: Workbench, weights: Weights, verdict: Verdict) -> dict[str, float]:
    """The measures of a node by name. `verdict` is a check's: its classes and suppressed rows are those of the job's k."""
    rows, width = bench.rows, len(bench.attributes)
    released = rows - verdict.suppressed
    objective = research_value(bench, weights)
    kept = _cells(bench, verdict)
    lost_to_suppression = verdict.suppressed / rows
    by_ncp = [ncp_sum / rows + lost_to_suppression for _, ncp_sum, _, _ in kept]
    kept_star_bits = sum(star for _, _, _, star in kept)
    star_bits = _star_bits(bench) if verdict.suppressed else kept_star_bits
    bits = sum(level for _, _, level, _ in kept) + star_bits - kept_star_bits
    measures = {
        "rv": objective.ceiling - objective.loss(dataclasses.replace(verdict, loss=None)),
        "ncp": sum(by_ncp) / width,
        "weighted_ncp": sum(weight * loss for weight, loss in zip(weights.values, by_ncp, strict=True)),
        "glm": sum(glm_sum for glm_sum, _, _, _ in kept) / rows / width + lost_to_suppression,
        "entropy": bits / star_bits if star_bits > 0 else 0.0,
        "height": height_objective(bench.attributes, rows).bound(verdict.node),
        "discernibility": discernibility(verdict.sums["squares"], verdict.suppressed, rows),
        "c_avg": c_avg(released, verdict.kept_classes, bench.job.privacy.k),
        "average_class_size": average_class_size(released, verdict.kept_classes),
    }
    if bench.job.utility.target is not None:
        measures["classification"] = classification_error(_majority_rows(bench, verdict), rows)
    return measures


def _cells(bench: Workbench, verdict: Verdict) -> list[tuple[float, float, float, float]]:
    """For each attribute, summed over kept rows: glm, ncp, bits at the node's level, bits at `*`."""
    described = []
    for i, attribute in enumerate(bench.attributes):
        level = verdict.node[i]
        losses = [
            glm.cell_loss(bench.dialect, attribute, i, level),
            ncp.cell_loss(bench.dialect, attribute, i, level),
            entropy.cell_loss(bench.dialect, attribute, i, level),
            entropy.cell_loss(bench.dialect, attribute, i, attribute.star),
        ]
        described.append((i, bench.names.dictionary(i), losses))
    sums = [(0.0, 0.0, 0.0, 0.0)] * len(described)
    if verdict.suppressed == 0:
        figures = [(i, place, loss) for i, _, losses in described for place, loss in enumerate(losses)]
        found = figure_sums(bench, figures)
        return [(found[i, 0], found[i, 1], found[i, 2], found[i, 3]) for i in range(len(described))]
    shape = build_shape(bench, (SQUARES,), ()).shape
    keys = bench.keys(verdict.node)
    statement = statements.metrics.node_measures(bench.dialect, bench.frequency_source, keys, shape, described)
    for row in bench.backend.fetch(statement):
        sums[int(row[0])] = (float(row[1]), float(row[2]), float(row[3]), float(row[4]))
    return sums


def _star_bits(bench: Workbench) -> float:
    stars = [
        (i, attribute.star, entropy.cell_loss(bench.dialect, attribute, i, attribute.star))
        for i, attribute in enumerate(bench.attributes)
    ]
    return sum(figure_sums(bench, stars).values())


def _majority_rows(bench: Workbench, verdict: Verdict) -> float:
    """Rows of kept classes that have their class's majority target."""
    if MAJORITY[0] in verdict.sums:
        return verdict.sums[MAJORITY[0]]
    assert bench.job.utility.target is not None
    column = majority_column(bench.sensitive.index(bench.job.utility.target))
    shape = build_shape(bench, (SQUARES, MAJORITY), (column,)).shape
    keys = bench.keys(verdict.node)
    row = bench.backend.fetch_one(
        statements.checks.frequency_sets(bench.dialect, bench.frequency_source, [keys], shape)
    )
    return float(row[-1])
