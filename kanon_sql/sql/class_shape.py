"""What a check computes of every class beside its size, when a class violates, and what is summed over the kept ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ClassColumn:
    """A figure of a class about one sensitive (or target) column, aggregated over that column's values in the class.

    `expression` is an aggregate over rows with: s (the value's code), m (rows of the class with it), n (rows of the class),
    p (the value's share of the whole table). `count(*)` is the number of distinct values.
    """

    alias: str
    sensitive: int
    expression: str


@dataclass(frozen=True)
class ClassShape:
    """`violates` is a condition over a class's columns: c (its size: persons or rows), n (its rows) and the `columns`' aliases.

    `monotone_violates` is the part of it that only fewer classes satisfy as nodes generalize, budget or not: k itself.
    `sums` are (name, expression over a class's columns) added up over kept classes.
    """

    k: int
    person: bool = False
    columns: tuple[ClassColumn, ...] = ()
    conditions: tuple[str, ...] = ()
    sums: tuple[tuple[str, str], ...] = (("squares", "n * n"),)

    @property
    def violates(self) -> str:
        return " or ".join((f"c < {self.k}", *self.conditions))

    @property
    def size(self) -> str:
        return "count(distinct person)" if self.person else "sum(n)"

    @property
    def sensitive(self) -> tuple[int, ...]:
        """The sensitive columns a class must be grouped by as well."""
        return tuple(sorted({column.sensitive for column in self.columns}))

    def about(self, sensitive: int) -> tuple[ClassColumn, ...]:
        return tuple(column for column in self.columns if column.sensitive == sensitive)
