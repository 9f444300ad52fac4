"""From the job's metric to the objective a search minimises, and what it needs of the database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from kanon_sql.errors import JobError
from kanon_sql.metrics import glm
from kanon_sql.metrics.height import height_objective
from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql.class_shape import ClassColumn
from kanon_sql.workbench.cells import Cells, build_cells
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class BuiltObjective:
    """The objective; the cell losses behind it (none where counts suffice); the class columns and sums it needs of a check.

    `utility` gives the measures of a scored verdict for the plan, `rules` what becomes of the job's rules at a node.
    """

    objective: Objective
    cells: Cells | None
    columns: tuple[ClassColumn, ...] = ()
    sums: tuple[tuple[str, str], ...] = (("squares", "n * n"),)
    utility: Callable[[Verdict], dict[str, float]] = lambda verdict: {}
    rules: Callable[[Node], list[dict[str, Any]]] = lambda node: []


def build_objective(bench: Workbench) -> BuiltObjective:
    """The objective of job.utility.metric."""
    metric = bench.job.utility.metric
    if metric == "height":
        return BuiltObjective(height_objective(bench.attributes, bench.rows), None, utility=_named("height"))
    if metric == "glm":
        share = 1 / len(bench.attributes)
        cells, objective = build_cells(bench, "glm", glm.cell_loss, tuple(share for _ in bench.attributes))
        return BuiltObjective(objective, cells, utility=_named("glm"))
    raise JobError(f"utility.metric {metric} is not built yet")


def _named(metric: str) -> Callable[[Verdict], dict[str, float]]:
    return lambda verdict: {} if verdict.loss is None else {metric: verdict.loss}
