"""Data-constraint rules against the levels of the table: where each holds, and what is wrong with it."""

from __future__ import annotations

import difflib
from decimal import Decimal, InvalidOperation
from weakref import WeakKeyDictionary

from kanon_sql.frozen import dataclass
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.rules import CutRule, Rule
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Dialect
from kanon_sql.sql.relations import code_column
from kanon_sql.workbench.workbench import Workbench

SUGGESTED_AMONG = 1000
"""The nearest value is sought among so many of the most frequent ones."""


@dataclass(frozen=True)
class RuleLevels:
    """A rule of an attribute, and whether it holds at each of its levels: no group holds values of both sides."""

    attribute: int
    rule: Rule
    holds: tuple[bool, ...]


@dataclass(frozen=True)
class CheckedRules:
    """The rules in the job's order, and warnings about those that constrain nothing or can never hold."""

    rules: tuple[RuleLevels, ...] = ()
    warnings: tuple[str, ...] = ()

    def of(self, attribute: int) -> list[RuleLevels]:
        return [rule for rule in self.rules if rule.attribute == attribute]


_checked: WeakKeyDictionary[Workbench, CheckedRules] = WeakKeyDictionary()


def rules_at(bench: Workbench, node: Node) -> list[dict[str, object]]:
    """Which rules hold at a node and which are broken, with their importance: `{column, rule, importance, holds}`."""
    return [
        {
            "column": bench.attributes[checked.attribute].name,
            "rule": str(checked.rule),
            "importance": checked.rule.importance,
            "holds": checked.holds[node[checked.attribute]],
        }
        for checked in check_rules(bench).rules
    ]


def check_rules(bench: Workbench) -> CheckedRules:
    """Every rule at every level, by two statements over the dictionaries; a job without rules needs none."""
    if bench.origin is not None:
        return check_rules(bench.origin)  # rules speak of values, which do not travel
    if bench not in _checked:
        _checked[bench] = _check(bench)
    return _checked[bench]


def _check(bench: Workbench) -> CheckedRules:
    places = [(i, r, rule) for i, attribute in enumerate(bench.attributes) for r, rule in enumerate(attribute.rules)]
    if not places:
        return CheckedRules()
    wanted, named = [], []
    for i, r, rule in places:
        attribute, dictionary = bench.attributes[i], bench.names.dictionary(i)
        left, right = sides(bench.dialect, attribute, rule)
        codes = [code_column(i, level) if level < attribute.star else None for level in range(len(attribute.levels))]
        wanted.append((i, r, dictionary, left, right, codes))
        for place, (_, condition) in enumerate(_named(bench.dialect, attribute, rule)):
            named.append((i, r, place, dictionary, condition))
    broken: dict[tuple[int, int, int], bool] = {}
    for i, r, level, count in bench.backend.fetch(statements.metrics.broken_rules(bench.dialect, wanted)):
        broken[int(i), int(r), int(level)] = int(count) > 0
    rows: dict[tuple[int, int, int], int] = {}
    for i, r, place, count in bench.backend.fetch(statements.metrics.rule_rows(bench.dialect, named)):
        rows[int(i), int(r), int(place)] = int(count)
    rules = tuple(
        RuleLevels(i, rule, tuple(not broken[i, r, level] for level in range(len(bench.attributes[i].levels))))
        for i, r, rule in places
    )
    warnings: list[str] = []
    for (i, r, rule), checked in zip(places, rules, strict=True):
        attribute = bench.attributes[i]
        where = f"columns.{attribute.name}.rules: {rule}"
        shown = [text for text, _ in _named(bench.dialect, attribute, rule)]
        missing = [text for place, text in enumerate(shown) if rows[i, r, place] == 0]
        if isinstance(rule, CutRule):
            if missing:
                beyond = "below every value" if missing[0] == "left" else "above every value"
                warnings.append(f"{where}: the cut lies {beyond} of the table, so the rule constrains nothing")
        elif missing:
            warnings += [_unknown_value(bench, i, where, text) for text in missing]
        if not missing and not checked.holds[attribute.min_level]:
            warnings.append(f"{where}: broken already at min_level {attribute.min_level}, so it can never hold")
    for attribute in bench.attributes:
        if attribute.rules and attribute.expert_rv is not None:
            warnings.append(f"columns.{attribute.name}: rv is given for each level, so its rules do not count in rv")
    return CheckedRules(rules, tuple(warnings))


def sides(dialect: Dialect, attribute: Attribute, rule: Rule) -> tuple[str, str]:
    """The conditions of a rule's two sides over the rows of a dictionary. NULL stands on neither."""
    if isinstance(rule, CutRule):
        cut = number(dialect, attribute, rule.cut)
        return f"value < {cut}", f"value >= {cut}"
    left = " or ".join(_is_value(dialect, attribute, text) for text in rule.left)
    right = " or ".join(_is_value(dialect, attribute, text) for text in rule.right)
    return f"({left})", f"({right})"


def _named(dialect: Dialect, attribute: Attribute, rule: Rule) -> list[tuple[str, str]]:
    if isinstance(rule, CutRule):
        left, right = sides(dialect, attribute, rule)
        return [("left", left), ("right", right)]
    return [(text, _is_value(dialect, attribute, text)) for text in (*rule.left, *rule.right)]


def _is_value(dialect: Dialect, attribute: Attribute, text: str) -> str:
    """Numbers are compared as numbers, since 1.5 and 1.50 are one value; everything else as text."""
    if attribute.kind in ("decimal", "double"):
        wanted = number(dialect, attribute, text)
        return "1 = 0" if wanted is None else f"value = {wanted}"
    return f"label_0 = {dialect.text_literal(text)}"


def number(dialect: Dialect, attribute: Attribute, given: float | str) -> str | None:
    """A number of the job file as a literal to compare the attribute's values with; None where it is no number."""
    try:
        exact = Decimal(given if isinstance(given, str) else repr(given))
    except InvalidOperation:
        return None
    if attribute.kind == "double" or not exact.is_finite():
        return dialect.cast(dialect.text_literal(str(exact)), "double")
    return f"{exact:f}"


def _unknown_value(bench: Workbench, attribute: int, where: str, text: str) -> str:
    """The warning about a value that does not occur. Only values with k rows or more are named."""
    bench_k = bench.job.privacy.k
    statement = statements.metrics.frequent_values(
        bench.dialect,
        bench.names.raw,
        f"v{attribute}",
        bench.attributes[attribute].kind,
        bench.counts_persons,
        bench_k,
        SUGGESTED_AMONG,
    )
    known = [str(row[0]) for row in bench.backend.fetch(statement)]
    folded = {value.casefold().strip(): value for value in reversed(known)}
    near = difflib.get_close_matches(text.casefold().strip(), list(folded), 1)
    hint = f"; did you mean {folded[near[0]]!r}?" if near else ""
    return f"{where}: the value {text!r} does not occur in the table{hint}"
