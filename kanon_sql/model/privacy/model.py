"""What a privacy model declares: the figures of a class it reads, when a class violates it, how a staged release is held against
it, and what it promises in words."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum
from typing import ClassVar

from kanon_sql.frozen import dataclass

Hierarchy = tuple[tuple[str, ...], ...]
"""The rows of a hierarchy file: the value, then its label at each level below `*`."""

TOLERANCE = 1e-9
"""A threshold is met when it is missed by no more than this: sums of floating-point shares differ in the last digits."""


@dataclass(frozen=True)
class Figure:
    """A figure of a class over one sensitive column: an aggregate over the values of that column in the class.

    The aggregate may use, for each value: s (its code), m (its rows in the class), n (rows of the class), p (its share of the
    whole table), r (its rank in the class, most frequent first). With `over="domain"` the rows are all values of the table in
    their order, m being 0 for those absent, and f is the difference of the cumulated shares up to the value, class against table.
    {named} stands for the condition that s is one of the model's `named_values`. With a `hierarchy`, gm<j> and gp<j> are the rows
    of the class and the share of the table under the value's label at level j.
    """

    name: str
    expression: str
    over: str = "values"


class Keeps(Enum):
    """How the worst figure of all classes must stand to the threshold."""

    AT_LEAST = "at least"
    AT_MOST = "at most"
    BELOW = "below"


@dataclass(frozen=True)
class Verification:
    """How a staged release is held against a model: by plain SQL over the finished table, without codes, work tables or the search.

    `figure`, for a model about a sensitive column: a select of one `figure` for every class, or several, over the tables
    spread (class, s, m: a value and its rows in the class; named: whether it is one of the `named_values`) and classes (class, n);
    with `source` also over shares (class, s, p, q: each value of the source, its share of the source and of the class; place: its
    rank in the model's order, with `ordered`; label_<j>: its labels in the model's `hierarchy`).
    For a model against the population: an expression over a class's n (rows), c (size) and fits (persons of the population).
    The worst figure is compared with `bound`, which is the threshold unless given; a finding tells it as `shown` says.
    """

    figure: str
    keeps: Keeps
    threshold: float
    bound: float | None = None
    shown: Callable[[float], float] = float
    source: bool = False
    ordered: bool = False

    def __post_init__(self) -> None:
        if not self.figure.strip():
            raise ValueError("a verification measures something")

    @property
    def worst(self) -> str:
        """The aggregate that finds the worst figure."""
        return "min" if self.keeps is Keeps.AT_LEAST else "max"

    def passes(self, worst: float) -> bool:
        bound = self.threshold if self.bound is None else self.bound
        if self.keeps is Keeps.AT_LEAST:
            return worst >= bound - TOLERANCE
        return worst <= bound + TOLERANCE if self.keeps is Keeps.AT_MOST else worst < bound - TOLERANCE


@dataclass(frozen=True)
class PrivacyModel:
    """A condition on classes. A model is a subclass in a file of its own, and an entry in registry.py.

    `monotone`: where every class satisfies it, every merger of classes does. `monotone_with_budget`: a merger violates only where
    all its parts did, so the rows in violating classes never grow by generalizing; a search may then prune by success and by
    failure whatever the budget. Where it is False, `core` still is such a condition, implied by the model: what fails by the core
    fails in every specialization; and `certain` bounds from below the rows of a violating class that stay violating.
    `monotone_by_persons`: it is monotone also where the population's persons are counted, who may be in several classes.
    `column` is the sensitive column, or None for a model about the quasi-identifiers alone.
    """

    name: ClassVar[str] = ""
    citation: ClassVar[str] = ""
    monotone: ClassVar[bool] = True
    monotone_with_budget: ClassVar[bool] = False
    needs_population: ClassVar[bool] = False
    monotone_by_persons: ClassVar[bool] = True

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

    def verification(self) -> tuple[Verification, ...]:
        """How a staged release is held against it; all must pass."""
        raise NotImplementedError

    @property
    def named_values(self) -> tuple[str, ...]:
        """The values of the column that the model names, as the engine shows them as text."""
        return ()

    @property
    def order(self) -> tuple[str, ...] | None:
        """The values from low to high, where the column's own order is not meant."""
        return None

    @property
    def hierarchy(self) -> Hierarchy:
        """The hierarchy of the column's values, where the model reads one."""
        return ()

    @property
    def values_left(self) -> int | None:
        """How many distinct values must be left to a set of candidates when releases are put together; None: it asks nothing of that."""
        return None

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


def shown(value: object) -> str:
    """A scalar of the job file as the engine shows it as text."""
    return ("true" if value else "false") if isinstance(value, bool) else str(value)


def number(value: float) -> str:
    """A figure of the job as an SQL number; whole ones without a point."""
    return str(int(value)) if value == int(value) else repr(float(value))


DISTINCT = Figure("distinct", "count(*)")
DISTINCT_VALUES = "select count(*) as figure\nfrom spread\ngroup by class"
"""DISTINCT as a verification counts it."""
PRESENT = Figure("present", "sum(p)")
"""The share of the table that has one of the values occurring in the class: what is missing cannot be close."""
