"""What a check computes of every class beside its size, when a class violates, and what is summed over the kept ones."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import field

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import PrivacyModel
from kanon_sql.sql.dialect import Relation


@dataclass(frozen=True)
class ClassColumn:
    """A figure of a class about one sensitive (or target) column, aggregated over that column's values in the class.

    `expression` is an aggregate over rows with: s (the value's code), m (rows of the class with it), n (rows of the class),
    p (the value's share of the whole table), r (its rank in the class, most frequent first). `count(*)` is the number of
    distinct values. Where the shape has a hierarchy of the column: gm<j> and gp<j>, the rows of the class and the share of the
    table under the value's label at level j.
    With `over="domain"` the rows are all values of the table in order, m being 0 for those absent from the class, and f is
    the difference of the cumulated shares, class against table.
    """

    alias: str
    sensitive: int
    expression: str
    over: str = "values"


def figure_columns(
    model: PrivacyModel, sensitive: int, codes: Sequence[int | str], columns: dict[str, ClassColumn]
) -> dict[str, str]:
    """Adds the figures of a model about a sensitive column to `columns`; returns their aliases by figure.

    `codes` are those of the values that the model names, as SQL. Models that name the same figure share its column; another figure of
    the same name gets an alias of its own.
    """
    named = f"s in ({', '.join(map(str, codes))})" if codes else "1 = 0"
    aliases: dict[str, str] = {}
    for figure in model.figures():
        alias, expression = f"{figure.name}_{sensitive}", figure.expression.replace("{named}", named)
        while columns.setdefault(alias, ClassColumn(alias, sensitive, expression, figure.over)) != ClassColumn(
            alias, sensitive, expression, figure.over
        ):
            alias += "_"
        aliases[figure.name] = alias
    return aliases


@dataclass(frozen=True)
class Block:
    """The columns of a class that one pass over a sensitive column's values gives."""

    sensitive: int
    over: str
    columns: tuple[ClassColumn, ...]

    @property
    def name(self) -> str:
        return f"{self.over}_{self.sensitive}"

    def uses(self, name: str) -> bool:
        """Whether an expression needs this figure: what nobody asks for is not computed."""
        return any(re.search(rf"\b{name}\b", column.expression) for column in self.columns)

    @property
    def levels(self) -> list[int]:
        """The hierarchy's levels that an expression needs."""
        found = {int(level) for column in self.columns for level in re.findall(r"\bgm(\d+)\b", column.expression)}
        return sorted(found)


@dataclass(frozen=True)
class ClassShape:
    """`violates` is a condition over a class's columns: c (its size: persons or rows), n (its rows), the `columns`' aliases and,
    with a `population`, population (the persons of it that the class fits).

    `monotone_violates` implies it, and only fewer rows satisfy it as nodes generalize, budget or not: k itself, and the
    `monotone_conditions`. `certain` are expressions for rows of a class that violate in every specialization, whatever else holds;
    `certain_rows` takes both together: where their sum passes the budget, every specialization fails.
    `sums` are (name, expression over a class's columns) added up over kept classes.
    `least` are aliases whose least value over kept classes a measured node carries.
    `hierarchies`: tables (code, g<j>, gp<j>) by sensitive column; `orders`: an ordering expression over s, by sensitive column.
    """

    k: int
    person: bool = False
    columns: tuple[ClassColumn, ...] = ()
    conditions: tuple[str, ...] = ()
    sums: tuple[tuple[str, str], ...] = (("squares", "n * n"),)
    monotone_conditions: tuple[str, ...] = ()
    certain: tuple[str, ...] = ()
    hierarchies: Mapping[int, Relation] = field(default_factory=dict)
    orders: Mapping[int, str] = field(default_factory=dict)
    population: Relation | None = None
    population_person: bool = False
    """The population has a person key: its persons are counted, not its rows."""
    least: tuple[str, ...] = ()

    @property
    def violates(self) -> str:
        return " or ".join((f"c < {self.k}", *self.conditions))

    @property
    def monotone_violates(self) -> str:
        return " or ".join((f"c < {self.k}", *self.monotone_conditions))

    @property
    def certain_rows(self) -> str:
        """The rows of a class that violate in every specialization of the node, at least."""
        partly = f"greatest(0, {', '.join(self.certain)})" if self.certain else "0"
        return f"case when {self.monotone_violates} then n else {partly} end"

    @property
    def size(self) -> str:
        return "count(distinct person)" if self.person else "sum(n)"

    @property
    def fits(self) -> str:
        """What a class's rows of the population count for."""
        return "count(distinct person)" if self.population_person else "sum(n)"

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The passes over sensitive columns that the columns need."""
        places = sorted({(column.sensitive, column.over) for column in self.columns})
        return tuple(
            Block(index, over, tuple(c for c in self.columns if (c.sensitive, c.over) == (index, over)))
            for index, over in places
        )
