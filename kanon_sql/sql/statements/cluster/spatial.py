"""The statements of SpatialDistance (section 4 of the paper): similarity of values by contingency tables, distances from the seed, centres.

A centre is the mean of a numeric and the set of values of a categorical. Distances are whole numbers, 10^11 for the whole range.
"""

from __future__ import annotations

from kanon_sql.frozen import dataclass
from kanon_sql.sql.boxes import ROW_PACK, UNIT, Boxes, Code, RangeCode, SetCode
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.render import render
from kanon_sql.sql.statement import Statement

SCALE = 100_000 * UNIT
"""The distance of the two values of an attribute that has two."""


@dataclass(frozen=True)
class SpatialAttribute:
    """A categorical: how many values it has, its weight in millionths, and its code."""

    code: Code
    values: int
    weight: int

    @property
    def index(self) -> int:
        return self.code.index

    @property
    def steps(self) -> list[tuple[int, int]]:
        """(rank, divisor): the least similar value is first; what would be nothing is left out."""
        if self.values <= 2:
            return [(1, 1)]
        return [
            (rank, (self.values - 1) ** rank) for rank in range(1, self.values) if (self.values - 1) ** rank <= SCALE
        ]


@dataclass(frozen=True)
class Space:
    """The attributes of the space: numerics, categoricals by ascending number of values, and the rules' sides."""

    boxes: Boxes
    numerics: tuple[RangeCode, ...]
    categoricals: tuple[SpatialAttribute, ...]
    rules: tuple[SetCode, ...]
    sorted_by: int
    """The attribute of most values: the first row in its order is the seed."""

    @property
    def columns(self) -> list[str]:
        return [*self.boxes.columns, *(f"sum{code.index}" for code in self.numerics)]

    @property
    def apart_without_seed(self) -> dict[int, str]:
        """Without a seed, values outside a centre's set are all as far from it as the least similar one."""
        return {a.index: str(SCALE // max(a.values - 1, 1) * a.weight // UNIT) for a in self.categoricals}

    def of_row(self, row: str) -> dict[str, str]:
        return self.boxes.of_row(row) | {f"sum{code.index}": f"{row}.a{code.index}" for code in self.numerics}

    def with_row(self, group: str, row: str) -> dict[str, str]:
        sums = {f"sum{code.index}": f"{group}.sum{code.index} + {row}.a{code.index}" for code in self.numerics}
        return self.boxes.with_row(self.boxes.of(group), row) | sums

    def distance(self, group: str, row: str, apart: dict[int, str]) -> str:
        """Of a row from the centre of a group; `apart`: how far a value outside the centre's set is."""
        dialect, scale = self.boxes.dialect, SCALE // UNIT
        parts = ["0"]
        for code in self.numerics:
            off = f"abs({group}.n * {row}.a{code.index} - {group}.sum{code.index})"
            parts.append(f"{dialect.quotient(off, f'{group}.n')} * {scale}")
        for attribute in self.categoricals:
            inside = _inside(attribute.code, group, row)
            parts.append(f"case when {inside} then 0 else {apart[attribute.index]} end")
        joined = self.boxes.with_row(self.boxes.of(group), row)
        parts += [f"{code.loss(dialect, joined, lambda index: row)} * {scale}" for code in self.rules]
        return " + ".join(parts)


def _inside(code: Code, group: str, row: str) -> str:
    if isinstance(code, SetCode):
        return " or ".join(f"({group}.b{word} & {row}.m{word} & {mask}) <> 0" for word, mask in code.masks)
    return f"{row}.a{code.index} between {group}.lo{code.index} and {group}.hi{code.index}"


def sorted_seeds(dialect: Dialect, grown: Relation, free: Relation, space: Space, turn: int, k: int) -> Statement:
    return render(
        dialect,
        "cluster/spatial/sorted_seeds",
        grown=grown,
        free=free,
        box=space.of_row("free"),
        order=f"c{space.sorted_by}",
        turn=turn,
        k=k,
        pack=ROW_PACK,
    )


def seed_distances(
    dialect: Dialect, table: Relation, grown: Relation, free: Relation, space: Space, turn: int, k: int
) -> Statement:
    """Every free row with its distance from the seed of its block in each categorical."""
    return render(
        dialect,
        "cluster/spatial/seed_distances",
        table=table,
        grown=grown,
        free=free,
        attributes=space.categoricals,
        scale=SCALE,
        unit=UNIT,
        turn=turn,
        k=k,
    )


def nearest_to_centre(
    dialect: Dialect, grown: Relation, distances: Relation, space: Space, turn: int, n: int
) -> Statement:
    apart = {attribute.index: f"free.e{attribute.index}" for attribute in space.categoricals}
    return render(
        dialect,
        "cluster/spatial/nearest_to_centre",
        grown=grown,
        distances=distances,
        columns=space.columns,
        box=space.with_row("growing", "free"),
        distance=space.distance("growing", "free", apart),
        turn=turn,
        n=n,
    )
