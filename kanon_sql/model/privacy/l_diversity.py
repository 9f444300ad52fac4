"""l-diversity (Machanavajjhala et al. 2007): every class has l well-represented sensitive values; three readings of that."""

from __future__ import annotations

import math
from typing import ClassVar, Literal

from pydantic import Field, model_validator

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import (
    DISTINCT,
    DISTINCT_VALUES,
    TOLERANCE,
    Figure,
    Keeps,
    PrivacyModel,
    Verification,
    number,
)
from kanon_sql.model.privacy.registry import JobKey, ReadHierarchy
from kanon_sql.model.section import Section

CITATION = "A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, l-diversity: privacy beyond k-anonymity, ACM TKDD 1(1), 2007"
SKEW = (
    "It does not stop inference from proportions: a value that is rare in the table may be common in a class (skewness), and "
    "different values may mean much the same (similarity): t-closeness speaks of these."
)


class LDiversity(Section):
    """l-diversity of one sensitive column."""

    kind: Literal["distinct", "entropy", "recursive"] = "distinct"
    l: float = Field(ge=1, description="the number of well-represented values")  # noqa: E741
    c: float | None = Field(None, gt=0, description="the constant of recursive (c,l)-diversity")

    @model_validator(mode="after")
    def _belongs_together(self) -> LDiversity:
        if (self.kind == "recursive") != (self.c is not None):
            raise ValueError("`c` belongs to kind recursive, which needs it")
        if self.kind != "entropy" and self.l != int(self.l):
            raise ValueError(f"l of kind {self.kind} is a whole number")
        return self


@dataclass(frozen=True)
class DistinctLDiversity(PrivacyModel):
    """At least l distinct values in every class. Monotone with and without a budget: a merger has the values of all its parts."""

    name: ClassVar[str] = "distinct_l_diversity"
    citation: ClassVar[str] = CITATION
    monotone_with_budget: ClassVar[bool] = True

    l: int  # noqa: E741

    def figures(self) -> tuple[Figure, ...]:
        return (DISTINCT,)

    def violates(self) -> str:
        return f"{{distinct}} < {self.l}"

    def verification(self) -> tuple[Verification, ...]:
        return (Verification(DISTINCT_VALUES, Keeps.AT_LEAST, self.l),)

    @property
    def values_left(self) -> int:
        return self.l

    @property
    def label(self) -> str:
        return f"distinct l-diversity of {self.column}, l = {self.l}"

    @property
    def guarantee(self) -> str:
        return (
            f"In every class at least {self.l} different values of {self.column} occur. Someone who finds a person's class still "
            f"faces {self.l} possible values, and must exclude {self.l - 1} of them by other knowledge to be certain of one."
        )

    @property
    def limits(self) -> str:
        return f"It says nothing of how often each value occurs: one value may make up nearly the whole class. {SKEW}"


@dataclass(frozen=True)
class EntropyLDiversity(PrivacyModel):
    """The entropy of the values in every class is at least ln l.

    Monotone without a budget, entropy being concave; with one a merger of a good and a bad class may be bad, and then rows
    that were kept become violating. Its core: an entropy of ln l needs l distinct values.
    """

    name: ClassVar[str] = "entropy_l_diversity"
    citation: ClassVar[str] = CITATION

    l: float  # noqa: E741

    def figures(self) -> tuple[Figure, ...]:
        return (DISTINCT, Figure("entropy", "ln(sum(m)) - sum(m * ln(m)) / sum(m)"))

    def violates(self) -> str:
        return f"{{entropy}} < {math.log(self.l) - TOLERANCE!r}"

    def core(self) -> str:
        return f"{{distinct}} < {math.ceil(self.l - TOLERANCE)}"

    def certain(self) -> str:
        """Entropy is concave: it is at least ln l times the share of rows in good parts."""
        return f"n * (1 - {{entropy}} / {math.log(self.l)!r})" if self.l > 1 else ""

    def verification(self) -> tuple[Verification, ...]:
        entropy = (
            "select -sum(spread.m / classes.n * ln(spread.m / classes.n)) as figure\n"
            "from spread\n"
            "join classes on classes.class = spread.class\n"
            "group by spread.class"
        )
        return (Verification(entropy, Keeps.AT_LEAST, self.l, math.log(self.l), math.exp),)

    @property
    def values_left(self) -> int:
        return math.ceil(self.l)

    @property
    def label(self) -> str:
        return f"entropy l-diversity of {self.column}, l = {self.l:g}"

    @property
    def guarantee(self) -> str:
        return (
            f"In every class the values of {self.column} are spread at least as evenly, by entropy, as {self.l:g} values of equal "
            f"frequency. Finding a person's class leaves at least {math.log2(self.l):.2f} bits of uncertainty about the value, on average."
        )

    @property
    def limits(self) -> str:
        return f"The average hides the worst case: a single value may still be more frequent than 1/{self.l:g} in a class. {SKEW}"


@dataclass(frozen=True)
class RecursiveLDiversity(PrivacyModel):
    """Recursive (c,l): r_1 < c (r_l + ... + r_m), the counts in descending order. Monotone without a budget only.

    Its core: with fewer than l values the right side is 0.
    """

    name: ClassVar[str] = "recursive_l_diversity"
    citation: ClassVar[str] = CITATION

    l: int  # noqa: E741
    c: float

    def figures(self) -> tuple[Figure, ...]:
        tail = Figure("tail", f"sum(case when r >= {self.l} then m else 0 end)")
        return (DISTINCT, Figure("most", "max(m)"), tail)

    def violates(self) -> str:
        return f"{{most}} >= {number(self.c)} * {{tail}} - {TOLERANCE!r}"

    def core(self) -> str:
        return f"{{distinct}} < {self.l}"

    def certain(self) -> str:
        """Each row taken away lowers r_1 by one at most, and never raises the tail."""
        return f"{{most}} - {number(self.c)} * {{tail}}"

    def verification(self) -> tuple[Verification, ...]:
        excess = (
            f"select max(m) - {number(self.c)} * sum(case when place >= {self.l} then m else 0 end) as figure\n"
            "from (\n"
            "    select\n"
            "        class,\n"
            "        m,\n"
            "        row_number() over (partition by class order by m desc) as place\n"
            "    from spread\n"
            ") as ranked\n"
            "group by class"
        )
        return (Verification(excess, Keeps.BELOW, 0.0),)

    @property
    def values_left(self) -> int:
        return self.l

    @property
    def label(self) -> str:
        return f"recursive (c,l)-diversity of {self.column}, c = {self.c:g}, l = {self.l}"

    @property
    def guarantee(self) -> str:
        return (
            f"In every class the most frequent value of {self.column} is rarer than {self.c:g} times all values from rank {self.l} on "
            f"together, by frequency. It stays so, with l one less, when an attacker excludes one value by other knowledge."
        )

    @property
    def limits(self) -> str:
        return f"The share of the most frequent value is bounded only through c. {SKEW}"


def build(column: str | None, asked: LDiversity, _: ReadHierarchy) -> PrivacyModel:
    """The model of the kind asked for."""
    if asked.kind == "entropy":
        return EntropyLDiversity(column, asked.l)
    if asked.c is not None:
        return RecursiveLDiversity(column, int(asked.l), asked.c)
    return DistinctLDiversity(column, int(asked.l))


MODEL = JobKey(LDiversity, (DistinctLDiversity, EntropyLDiversity, RecursiveLDiversity), build)
