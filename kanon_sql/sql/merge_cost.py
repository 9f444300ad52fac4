"""What a merger is weighed by: the loss of a box, its research value, or the sum of its ranges, as integer expressions.

The research value of a group's attribute is w / span * rules (thesis; values in the group instead of the span for categoricals), 0 at
`*`. Like losses, values are whole millionths of a cell, so that every engine finds the same.
"""

from __future__ import annotations

from collections.abc import Mapping

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import Box, Boxes, Code, RangeCode, SetCode, TreeCode, Witness
from kanon_sql.sql.dialect import Dialect

IMPORTANCE_UNIT = 1000
"""Importances are weighed as whole thousandths."""


@dataclass(frozen=True)
class RuleValue:
    """A rule by its code, and how much of its attribute's rules it is."""

    code: SetCode
    importance: int


@dataclass(frozen=True)
class AttributeValue:
    """The research value of an attribute: `full` for one value; `steps`: units of resolution over the range of a numeric."""

    code: Code
    full: int
    steps: int = 1
    base: int = 0
    rules: tuple[RuleValue, ...] = ()

    def value(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        value = self._granularity(dialect, box, witness)
        whole = self.base + sum(rule.importance for rule in self.rules)
        if not self.rules or not whole:
            return value
        kept = " + ".join(
            f"case when {rule.code.values_held(dialect, box)} > 1 then 0 else {rule.importance} end"
            for rule in self.rules
        )
        return dialect.quotient(f"({value} * ({self.base} + {kept}))", str(whole))

    def _granularity(self, dialect: Dialect, box: Box, witness: Witness) -> str:
        i, full = self.code.index, self.full
        if isinstance(self.code, SetCode):
            return dialect.quotient(str(full), f"({self.code.values_held(dialect, box)})")
        low, high = box[f"lo{i}"], box[f"hi{i}"]
        if isinstance(self.code, RangeCode):
            if not full:
                return "0"
            return dialect.quotient(str(full * full), f"({full} + ({high} - {low}) * {self.steps})")
        branches = ""
        for j in self.code.levels:
            first, last = f"{witness(i)}.f{i}_{j}", f"{witness(i)}.t{i}_{j}"
            share = dialect.quotient(str(full), f"({last} - {first} + 1)")
            branches += f" when {low} >= {first} and {high} <= {last} then {share}"
        return f"(case when {low} = {high} then {full}{branches} else 0 end)"


@dataclass(frozen=True)
class MergeCost:
    """A measure of boxes as something lost: least is best."""

    boxes: Boxes
    measure: str
    values: Mapping[int, AttributeValue]

    def lost(self, box: Box, witness: Witness) -> str:
        if self.measure == "loss":
            return self.boxes.loss(box, witness)
        if self.measure == "ranges":
            return " + ".join(_range(self.boxes.dialect, code, box, witness) for code in self.boxes.codes)
        full = sum(value.full for value in self.values.values())
        worth = " - ".join(value.value(self.boxes.dialect, box, witness) for value in self.values.values())
        return f"({full} - {worth})"


def _range(dialect: Dialect, code: Code, box: Box, witness: Witness) -> str:
    """Maximum minus minimum of a numeric; a set of different values is as wide as can be."""
    if isinstance(code, (RangeCode, TreeCode)):
        return code.loss(dialect, box, witness)
    full = code.unit * sum(bin(mask).count("1") for _, mask in code.masks)
    return f"(case when {code.values_held(dialect, box)} > 1 then {full} else 0 end)"
