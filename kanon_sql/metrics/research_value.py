"""rv, the research value (thesis, "Utility Metric"): what is left for the researcher, weighted, with the rules of the data expert.

An attribute at a level is worth w * granularity * rules, or what the expert gave for that level; at `*` it is worth 0. Granularity of
a numeric is (rows) / (sum over groups of rows * span), of a categorical (groups at the level) / (values); rules is
(base + importances of the rules that hold) / (base + all importances), 1 without rules. With an importance factor f in [0, 1] the
product is granularity^(2(1-f)) * rules^(2f); f = 0.5 is the thesis. A node's rv is the sum over attributes. Suppressed rows are worth
nothing: rv is scaled by the share of rows kept.
As a loss (the rv of all level 0, minus rv) it splits into a sum over attributes. Monotone while nothing is suppressed, since levels
nest, unless an expert's values rise with the level; not monotone with suppression.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.metrics.covered import finite_value, group_of, type_resolution
from kanon_sql.metrics.measure import Levels, NodeMeasure
from kanon_sql.metrics.objective import SeparableObjective
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.verdict import Verdict
from kanon_sql.sql.dialect import Dialect


def numeric_granularity(rows: float, spanned: float) -> float:
    """`spanned` is the sum over groups of rows * span."""
    return rows / spanned


def categorical_granularity(groups: int, values: int) -> float:
    return groups / values


def rules_factor(kept: Iterable[float], all_importances: Iterable[float], base: float = 0.0) -> float:
    """The importances of the rules that hold against those of all, the base added to both."""
    whole = base + sum(all_importances)
    return 1.0 if whole == 0 else (base + sum(kept)) / whole


def combined(granularity: float, rules: float, importance: float = 0.5) -> float:
    """Granularity against rules: importance 0 looks at granularity alone, 1 at rules alone, 0.5 is their product."""
    return float(granularity ** (2 * (1 - importance)) * rules ** (2 * importance))


def attribute_value(weight: float, granularity: float, rules: float, importance: float = 0.5) -> float:
    """An attribute's research value at a level below `*`."""
    return weight * combined(granularity, rules, importance)


def span(dialect: Dialect, attribute: Attribute, index: int, level: int, resolution: float) -> str:
    """How many values a dictionary row's group spans, in units of the resolution; 1 for NULL and what is not finite."""
    value, group = finite_value(dialect, attribute), group_of(index, level, level == attribute.star)
    width = f"(max({value}) {group} - min({value}) {group})"
    return f"coalesce({width} / {dialect.literal(resolution)}, 0) + 1"


def resolution(attribute: Attribute, smallest_gap: float | None) -> float:
    """The unit of spans: the type's, or for doubles the smallest gap between neighbours that occur."""
    fixed = type_resolution(attribute)
    return fixed if fixed is not None else (smallest_gap or 1.0)


@dataclass(frozen=True)
class RowValue:
    """What a cell of an attribute is worth: the weight, the unit of spans, the powers of granularity and rules, the rules' importances.

    `base` is added to the rules' sums; `expert` are the values an expert gave, by level.
    """

    weight: float
    resolution: float
    granularity_power: float
    rules_power: float
    base: float
    importances: tuple[float, ...]
    expert: tuple[float, ...]


@dataclass(frozen=True)
class LevelValues:
    """What an attribute's levels are worth: its weight, the granularity and the factor of its rules at every level."""

    weight: float
    granularity: Sequence[float]
    rules: Sequence[float]
    expert: Sequence[float] | None = None

    def value(self, level: int, importance: float) -> float:
        if self.expert is not None:
            return self.expert[level]
        if level == len(self.granularity) - 1:
            return 0.0
        return attribute_value(self.weight, self.granularity[level], self.rules[level], importance)


def research_value_objective(levels: Levels) -> SeparableObjective:
    """Research value as a loss: (rv of all level 0) - rv. `ceiling - loss` is the rv, with suppressed rows worth nothing."""
    worth = [[v.value(level, levels.importance) for level in range(len(v.granularity))] for v in levels.values()]
    parts = tuple(tuple(levels[0] - value for value in levels) for levels in worth)
    ceiling = sum(levels[0] for levels in worth)
    return SeparableObjective("rv", parts, levels.rows, exact_from_counts=True, scaled_by_kept=True, ceiling=ceiling)


def _figure(objective: SeparableObjective, verdict: Verdict) -> float:
    return objective.ceiling - objective.loss(verdict)


MEASURE = NodeMeasure(research_value_objective, _figure, without_node="rv_by_rows")
