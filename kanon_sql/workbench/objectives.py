"""From the job's metric to what a search minimises, with the work tables and class figures it needs."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from typing import Any

from kanon_sql.errors import JobError, RuleError
from kanon_sql.frozen import dataclass
from kanon_sql.metrics.class_counts import ClassCounts
from kanon_sql.metrics.covered import FINEST_SHARE, finite_value, group_of
from kanon_sql.metrics.discernibility import SQUARES
from kanon_sql.metrics.measure import CellMeasure, ClassMeasure, Levels, NodeMeasure, computation
from kanon_sql.metrics.objective import Objective, SeparableObjective
from kanon_sql.metrics.research_value import (
    LevelValues,
    categorical_granularity,
    numeric_granularity,
    research_value_objective,
    resolution,
    rules_factor,
    span,
)
from kanon_sql.model.lattice import Node
from kanon_sql.model.measures import MEASURES
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassColumn, ClassShape
from kanon_sql.workbench.associations import Associations, associations
from kanon_sql.workbench.cells import Cells, build_cells, figure_sums
from kanon_sql.workbench.rules import check_rules, rules_at
from kanon_sql.workbench.workbench import Workbench

Sums = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class BuiltObjective:
    """The objective; the cell tables that score suppressed rows; the class columns and sums that its verdicts must carry.

    `weights` are the attributes' weights, which sum to 1; `associations` the matrix they come from, where automatic;
    `warnings` what the user should know about rules and weights (they stand in the workbench's notes as well).
    `utility` gives every measure of a verdict for the plan, `rules` what becomes of the job's rules at a node.
    """

    objective: Objective
    cells: Cells | None = None
    columns: tuple[ClassColumn, ...] = ()
    sums: Sums = (SQUARES,)
    weights: tuple[float, ...] = ()
    associations: Associations | None = None
    warnings: tuple[str, ...] = ()
    utility: Callable[[Verdict], dict[str, float]] = lambda verdict: {}
    rules: Callable[[Node], list[dict[str, Any]]] = lambda node: []

    @property
    def figures(self) -> dict[str, Any]:
        """What a plan shows of the weights: the matrix they come from, where they are automatic."""
        shown: dict[str, Any] = {"weights": list(self.weights)}
        return shown if self.associations is None else shown | {"associations": self.associations.to_dict()}


@dataclass(frozen=True)
class Weights:
    """The attributes' weights, which sum to 1, and where they come from."""

    values: tuple[float, ...]
    associations: Associations | None = None
    warnings: tuple[str, ...] = ()


def build_objective(bench: Workbench) -> BuiltObjective:
    """The objective of the job's utility.metric, on a prepared workbench."""
    weights = build_weights(bench)
    built = objective_of(bench, weights, bench.job.utility.metric)
    warnings = (*weights.warnings, *check_rules(bench).warnings, *_expert_warnings(bench))
    bench.notes += [warning for warning in warnings if warning not in bench.notes]

    def utility(verdict: Verdict) -> dict[str, float]:
        from kanon_sql.workbench.measures import measures_at

        return measures_at(bench, weights, verdict)

    return dataclasses.replace(
        built,
        weights=weights.values,
        associations=weights.associations,
        warnings=warnings,
        utility=utility,
        rules=lambda node: rules_at(bench, node),
    )


def build_weights(bench: Workbench) -> Weights:
    """Given, or from the associations in the data."""
    if bench.job.utility.weights == "auto":
        found = associations(bench)
        warnings = tuple(
            f"{pair['drop']} and {pair['keep']} go together highly ({pair['association']:.2f}): "
            f"{pair['drop']} is a candidate to drop"
            for pair in found.to_drop
        )
        return Weights(found.weights, found, warnings)
    given = [attribute.weight for attribute in bench.attributes]
    for attribute in bench.attributes:
        if attribute.weight < 0 or not math.isfinite(attribute.weight):
            raise RuleError(
                f"columns.{attribute.name}.weight: a weight is a number from 0 up", "0 leaves the column out"
            )
    if sum(given) == 0:
        raise RuleError("the weights of all quasi-identifiers are 0", "give one of them a positive weight, or none any")
    return Weights(tuple(weight / sum(given) for weight in given))


def objective_of(bench: Workbench, weights: Weights, metric: str) -> BuiltObjective:
    """The objective of a measure, by its kind."""
    measure = computation(metric)
    if isinstance(measure, CellMeasure):
        together = measure.searched_together or measure.together
        shares = {"mean": equal_weights(bench), "weighted": weights.values, "share": None}[together]
        cells, objective = build_cells(bench, metric, measure.cell_loss, shares, measure.suppressed_loss)
        return BuiltObjective(objective, cells)
    if isinstance(measure, ClassMeasure):
        columns = target_columns(bench, metric, measure)
        counts = class_counts(bench, measure.sums, columns)
        sums = tuple(dict.fromkeys((SQUARES, *measure.sums)))
        return BuiltObjective(measure.objective(counts, bench.job.privacy.k), None, columns, sums)
    if isinstance(measure, NodeMeasure):
        return BuiltObjective(measure.objective(levels_of(bench, weights)))
    raise JobError(f"utility.metric: {metric} is a figure of a release; no search can minimise it")


def target_columns(bench: Workbench, name: str, measure: ClassMeasure) -> tuple[ClassColumn, ...]:
    """The figures of a class that a measure needs of the job's target."""
    if not MEASURES[name].needs_target:
        return ()
    target = bench.job.utility.target
    if target is None or target not in bench.sensitive:
        raise JobError(f"utility.target: the metric {name} needs a target column", "name one of the job's columns")
    return measure.columns(bench.sensitive.index(target))


def levels_of(bench: Workbench, weights: Weights) -> Levels:
    """What the measures of nodes are made of."""
    importance = bench.job.utility.importance
    return Levels(bench.attributes, bench.rows, importance, lambda: level_values(bench, weights))


def research_value(bench: Workbench, weights: Weights) -> SeparableObjective:
    """The research value of every level of every attribute, as a loss."""
    return research_value_objective(levels_of(bench, weights))


def level_values(bench: Workbench, weights: Weights) -> list[LevelValues]:
    """What every level of every attribute is worth, from the dictionaries."""
    units = resolutions(bench)
    wanted = [
        (i, level, span(bench.dialect, attribute, i, level, units[i]))
        for i, attribute in enumerate(bench.attributes)
        if attribute.numeric and attribute.expert_rv is None
        for level in range(attribute.star)
    ]
    spanned = figure_sums(bench, wanted)
    checked = check_rules(bench)
    base = bench.job.utility.base
    values = []
    for i, attribute in enumerate(bench.attributes):
        rules = checked.of(i)
        importances = [rule.rule.importance for rule in rules]
        factors = [
            rules_factor((r.rule.importance for r in rules if r.holds[level]), importances, base)
            for level in range(len(attribute.levels))
        ]
        granularity = [
            0.0
            if level == attribute.star
            else numeric_granularity(bench.rows, spanned[i, level])
            if (i, level) in spanned
            else categorical_granularity(bench.sizes[i][level], bench.sizes[i][0])
            for level in range(len(attribute.levels))
        ]
        values.append(LevelValues(weights.values[i], granularity, factors, attribute.expert_rv))
    return values


def resolutions(bench: Workbench) -> dict[int, float]:
    """The unit of each numeric's spans; doubles are asked for theirs."""
    numerics = {i: attribute for i, attribute in enumerate(bench.attributes) if attribute.numeric}
    doubles = [
        (i, bench.names.dictionary(i), finite_value(bench.dialect, attribute))
        for i, attribute in numerics.items()
        if attribute.kind == "double"
    ]
    gaps: dict[int, float] = {}
    if doubles:
        for row in bench.backend.fetch(statements.metrics.smallest_gaps(bench.dialect, doubles)):
            if row.gap is not None:
                gaps[int(row.attribute)] = max(float(row.gap), float(row.width) * FINEST_SHARE)
    return {i: resolution(attribute, gaps.get(i)) for i, attribute in numerics.items()}


def equal_weights(bench: Workbench) -> tuple[float, ...]:
    return tuple(1 / len(bench.attributes) for _ in bench.attributes)


def class_counts(bench: Workbench, sums: Sums, columns: tuple[ClassColumn, ...] = ()) -> ClassCounts:
    """What is known of all nodes from the dictionaries and one look at the bottom."""
    squares = [[float(bench.rows) ** 2] * len(attribute.levels) for attribute in bench.attributes]
    wanted = [
        (i, level, f"sum(n) {group_of(i, level)}")
        for i, attribute in enumerate(bench.attributes)
        for level in range(attribute.star)
    ]
    for (i, level), total in figure_sums(bench, wanted).items():
        squares[i][level] = total
    nothing_violates = ClassShape(1, columns=columns, sums=sums)
    keys = bench.keys(bench.lattice.bottom)
    row = bench.backend.fetch_one(
        statements.checks.frequency_sets(bench.dialect, bench.frequency_source, [keys], nothing_violates)
    )
    return ClassCounts(
        rows=bench.rows,
        budget=bench.budget,
        sizes=tuple(map(tuple, bench.sizes)),
        squares=tuple(map(tuple, squares)),
        bottom_classes=int(row.classes),
        bottom={name: float(getattr(row, name)) for name, _ in sums},
    )


def _expert_warnings(bench: Workbench) -> list[str]:
    return [
        f"columns.{attribute.name}.rv: a more general level is worth more than the one below it; searches prune less"
        for attribute in bench.attributes
        if attribute.expert_rv is not None
        and any(later > earlier for earlier, later in zip(attribute.expert_rv, attribute.expert_rv[1:], strict=False))
    ]
