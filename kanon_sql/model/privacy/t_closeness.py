"""t-closeness (Li, Li, Venkatasubramanian 2007): in every class the sensitive values are distributed nearly as in the whole table.

The distance is the earth mover's, with the ground distance equal (every two values 1 apart), ordered (steps between ranks) or
hierarchical (height of the closest common ancestor). The whole table is the source: what an attacker may take as known.
All three distances are convex in the class's distribution, so the model is monotone without a budget; with one it is not.
"""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field, model_validator

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import (
    PRESENT,
    TOLERANCE,
    Figure,
    Hierarchy,
    Keeps,
    PrivacyModel,
    Verification,
    shown,
)
from kanon_sql.model.privacy.registry import JobKey, ReadHierarchy
from kanon_sql.model.section import Section

EQUAL = "(sum(abs(m / n - p)) + 1 - sum(p)) / 2"
"""Half the sum of differences; a value that is missing in the class differs by its whole share."""
ORDERED = "coalesce(sum(abs(f)) / nullif(count(*) - 1, 0), 0)"
EQUAL_SHARES = "select sum(abs(q - p)) / 2 as figure\nfrom shares\ngroup by class"
ORDERED_SHARES = (
    "select case when count(*) > 1 then sum(abs(moved)) / (count(*) - 1) else 0 end as figure\n"
    "from (\n"
    "    select\n"
    "        class,\n"
    "        sum(q - p) over (partition by class order by place rows unbounded preceding) as moved\n"
    "    from shares\n"
    ") as walk\n"
    "group by class"
)


class TCloseness(Section):
    """t-closeness of one sensitive column: a number alone is t with the equal distance."""

    t: float = Field(ge=0, le=1)
    distance: Literal["equal", "ordered", "hierarchical"] = "equal"
    order: list[str | int | float | bool] | None = Field(
        None, description="the values from low to high (ordered); by default the column's own order, NULL first"
    )
    hierarchy: str | None = Field(None, description="a file: value;level1;level2;...;* (hierarchical)")

    @model_validator(mode="after")
    def _belongs_together(self) -> TCloseness:
        if (self.distance == "hierarchical") != (self.hierarchy is not None):
            raise ValueError("`hierarchy` belongs to the distance hierarchical, which needs it")
        if self.order is not None and self.distance != "ordered":
            raise ValueError("`order` belongs to the distance ordered")
        return self


@dataclass(frozen=True)
class TClosenessModel(PrivacyModel):
    """`values_in_order`: from low to high (ordered); `rows`: those of the hierarchy (hierarchical)."""

    name: ClassVar[str] = "t_closeness"
    citation: ClassVar[str] = (
        "N. Li, T. Li, S. Venkatasubramanian, t-closeness: privacy beyond k-anonymity and l-diversity, ICDE 2007"
    )

    t: float
    distance: str = "equal"
    values_in_order: tuple[str, ...] | None = None
    rows: Hierarchy = ()

    @property
    def order(self) -> tuple[str, ...] | None:
        return self.values_in_order

    @property
    def hierarchy(self) -> Hierarchy:
        return self.rows

    @property
    def height(self) -> int:
        """The levels of the hierarchy above the value, `*` included."""
        return len(self.rows[0]) if self.rows else 1

    def figures(self) -> tuple[Figure, ...]:
        if self.distance == "ordered":
            return (Figure("ordered_distance", ORDERED, over="domain"),)
        if self.distance == "hierarchical":
            return (PRESENT, Figure("hierarchical_distance", hierarchical(self.height)))
        return (PRESENT, Figure("equal_distance", EQUAL))

    def violates(self) -> str:
        return f"{{{self.distance}_distance}} > {self.t + TOLERANCE!r}"

    def core(self) -> str:
        """The share of the missing values must be moved over at least one step: 1 (equal), 1/height (hierarchical)."""
        if self.distance == "ordered":
            return ""
        least = 1 - self.t * (self.height if self.distance == "hierarchical" else 1)
        return f"{{present}} < {least - TOLERANCE!r}" if least > TOLERANCE else ""

    def certain(self) -> str:
        """The distance is convex and at most 1: at most t for the good parts and 1 for the bad ones, by their shares."""
        return f"n * ({{{self.distance}_distance}} - {self.t!r}) / {1 - self.t!r}" if self.t < 1 else ""

    def verification(self) -> tuple[Verification, ...]:
        figure = {"equal": EQUAL_SHARES, "ordered": ORDERED_SHARES, "hierarchical": hierarchical_shares(self.height)}
        ordered = self.distance == "ordered"
        return (Verification(figure[self.distance], Keeps.AT_MOST, self.t, source=True, ordered=ordered),)

    @property
    def label(self) -> str:
        return f"t-closeness of {self.column}, t = {self.t:g}, {self.distance} distance"

    @property
    def guarantee(self) -> str:
        return (
            f"In every class the distribution of {self.column} is within {self.t:g} (earth mover's distance, {self.distance} ground "
            f"distance, 0 to 1) of its distribution in the whole source table. What someone learns about a person by finding the class, "
            f"beyond what the whole table tells of everyone, is bounded by that."
            + (
                f" No set of values is more likely in a class than in the table by more than {self.t:g}."
                if self.distance == "equal"
                else ""
            )
        )

    @property
    def limits(self) -> str:
        return (
            "It bounds what is learnt, it does not exclude it: a rare value may still become several times as likely as in the table "
            "(beta-likeness speaks of that). What the whole table tells of everyone is no secret under this model."
        )


def hierarchical(height: int) -> str:
    """The paper's sum over inner nodes, telescoped: the differences at every level below `*`, halved, over the height.

    cost(N) = level/H * (sum of |extra| over children - |extra(N)|) / 2, so the total is (1 / 2H) * sum over levels of
    sum |extra|. A level's sum over labels is made of the values' rows: each carries its part m / gm of its label.
    """
    levels = ["sum(abs(m / n - p)) + 1 - sum(p)"]
    levels += [f"sum((abs(gm{j} / n - gp{j}) - gp{j}) * m / gm{j}) + 1" for j in range(1, height)]
    return f"({' + '.join(levels)}) / {2 * height}"


def hierarchical_shares(height: int) -> str:
    """The same, as a verification sums it: what is moved between the values, and between the labels of every level."""
    moves = ["    select\n        class,\n        abs(q - p) as moved\n    from shares\n"]
    moves += [
        f"    select\n        class,\n        abs(sum(q - p)) as moved\n    from shares\n    group by class, label_{j}\n"
        for j in range(1, height)
    ]
    every = "    union all\n".join(moves)
    return f"select sum(moved) / {2 * height} as figure\nfrom (\n{every}) as levels\ngroup by class"


def build(column: str | None, asked: TCloseness, read: ReadHierarchy) -> PrivacyModel:
    order = None if asked.order is None else tuple(map(shown, asked.order))
    rows = () if asked.hierarchy is None else read(asked.hierarchy)
    return TClosenessModel(column, asked.t, asked.distance, order, rows)


MODEL = JobKey(TCloseness, (TClosenessModel,), build, number="t")
