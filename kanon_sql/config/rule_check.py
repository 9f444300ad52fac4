"""What is wrong with rules and weights before any table is looked at: contradictions, weights that make no sense."""

from __future__ import annotations

import math
from collections.abc import Callable

from kanon_sql.config.schema import Column, Job, Rule
from kanon_sql.errors import RuleError

Where = Callable[..., str]
"""`where("columns", name, ...)` is the place in the job file that a message opens with."""


def check_rules_and_weights(job: Job, where: Where) -> None:
    """Raise RuleError for the first thing wrong."""
    for name, column in job.columns.items():
        if column.role != "quasi":
            if column.rules:
                raise RuleError(
                    f"{where('columns', name, 'rules')}: columns.{name}.rules: a column with role {column.role} is not generalized",
                    "rules belong to columns with role quasi",
                )
            continue
        _check_column(name, column, where)
    if job.utility.weights == "given":
        quasi = [job.columns[name] for name in job.columns_with("quasi")]
        if quasi and all(column.weight == 0 for column in quasi):
            raise RuleError(
                f"{where('columns')}: the weights of all quasi-identifiers are 0",
                "give one of them a positive weight, or leave them out",
            )


def _check_column(name: str, column: Column, where: Where) -> None:
    if column.weight is not None and not math.isfinite(column.weight):
        raise RuleError(f"{where('columns', name, 'weight')}: columns.{name}.weight: not a finite number")
    if column.rv is not None and any(not math.isfinite(value) or value < 0 for value in column.rv):
        raise RuleError(
            f"{where('columns', name, 'rv')}: columns.{name}.rv: a research value is a number from 0 up",
            "0 is worthless, as `*` is",
        )
    known: dict[object, Rule] = {}
    for place, rule in enumerate(column.rules):
        at = f"{where('columns', name, 'rules', place)}: columns.{name}.rules"
        if not math.isfinite(rule.importance) or (rule.cut is not None and not math.isfinite(rule.cut)):
            raise RuleError(f"{at}: cuts and importances are finite numbers")
        if rule.apart is not None and any(isinstance(side, list) and not side for side in rule.apart):
            raise RuleError(f"{at}: a side of `apart` is empty", "name at least one value on each side")
        if _overlap(rule):
            raise RuleError(f"{at}: a value stands on both sides of `apart`: they contradict", "name it on one side")
        same = known.setdefault(_meaning(rule), rule)
        if same is rule:
            continue
        if same.importance != rule.importance:
            raise RuleError(
                f"{at}: the same rule is written twice, with importance {same.importance:g} and {rule.importance:g}: they contradict",
                "keep one of them",
            )
        raise RuleError(
            f"{at}: the same rule is written twice", "keep one of them, with the importance of both if you mean it"
        )


def _meaning(rule: Rule) -> object:
    """Equal for two rules that keep the same values apart, whichever side stands first."""
    return rule.cut if rule.apart is None else frozenset(_sides(rule))


def _overlap(rule: Rule) -> bool:
    return rule.apart is not None and bool(frozenset.intersection(*_sides(rule)))


def _sides(rule: Rule) -> list[frozenset[str]]:
    return [frozenset(str(v) for v in (side if isinstance(side, list) else [side])) for side in rule.apart or ()]
