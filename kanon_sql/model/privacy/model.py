"""What a privacy model declares: the figures of a class it reads, when a class violates it, and what it promises in words."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

TOLERANCE = 1e-9
"""A threshold is met when it is missed by no more than this: sums of floating-point shares differ in the last digits."""


@dataclass(frozen=True)
class Figure:
    """A figure of a class over one sensitive column: an aggregate over the values of that column in the class.

    The aggregate may use, for each value: s (its code), m (its rows in the class), n (rows of the class), p (its share of the
    whole table), r (its rank in the class, most frequent first). With `over="domain"` the rows are all values of the table in
    their order, m being 0 for those absent, and f is the difference of the cumulated shares up to the value, class against table.
    """

    name: str
    expression: str
    over: str = "values"


@dataclass(frozen=True)
class PrivacyModel:
    """A condition on classes. Subclasses: one per file.

    `monotone`: where every class satisfies it, every merger of classes does. `monotone_with_budget`: a merger violates only where
    all its parts did, so the rows in violating classes never grow by generalizing; a search may then prune by success and by
    failure whatever the budget. Where it is False, `core` still is such a condition, implied by the model: what fails by the core
    fails in every specialization; and `certain` bounds from below the rows of a violating class that stay violating.
    `column` is the sensitive column, or None for a model about the quasi-identifiers alone.
    """

    name: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    monotone: ClassVar[bool] = True
    monotone_with_budget: ClassVar[bool] = False
    needs_population: ClassVar[bool] = False

    column: str | None

    def figures(self) -> tuple[Figure, ...]:
        """The figures `violates` and `core` name in braces."""
        return ()

    def violates(self) -> str:
        """When a class violates: a condition over {figure}s, c (its size), n (its rows) and population."""
        raise NotImplementedError

    def core(self) -> str:
        """A condition under which a class violates, monotone whatever the budget; empty where there is none."""
        return self.violates() if self.monotone_with_budget else ""

    def certain(self) -> str:
        """How many rows of a violating class violate in every specialization, at least; empty where nothing is known.

        Where a class is bad and mergers of good classes are good, the parts that stay good bound what the class would be; what
        it is beyond that must come from rows in bad parts. Summed over classes this is a failure that all specializations share.
        """
        return ""

    @property
    def label(self) -> str:
        """The model with its figures, as a report names it."""
        raise NotImplementedError

    @property
    def guarantee(self) -> str:
        """What it stops, in a sentence a publisher can sign."""
        raise NotImplementedError

    @property
    def limits(self) -> str:
        """What it does not stop."""
        raise NotImplementedError

    @property
    def statement(self) -> dict[str, str]:
        """The model as a report states it."""
        return {
            "model": self.name,
            "label": self.label,
            "guarantee": self.guarantee,
            "limits": self.limits,
            "citation": self.citation,
        }


def number(value: float) -> str:
    """A figure of the job as an SQL number; whole ones without a point."""
    return str(int(value)) if value == int(value) else repr(float(value))


DISTINCT = Figure("distinct", "count(*)")
PRESENT = Figure("present", "sum(p)")
"""The share of the table that has one of the values occurring in the class: what is missing cannot be close."""
