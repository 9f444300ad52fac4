"""beta-likeness (Cao, Karras 2012): no sensitive value becomes more likely in a class, relative to the table, by more than beta."""

from __future__ import annotations

from typing import ClassVar, Literal

from pydantic import Field

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import PRESENT, TOLERANCE, Figure, Keeps, PrivacyModel, Verification, number
from kanon_sql.model.privacy.registry import JobKey
from kanon_sql.model.section import Section


class BetaLikeness(Section):
    """beta-likeness of one sensitive column: a number alone is beta of the enhanced kind."""

    beta: float = Field(gt=0)
    kind: Literal["basic", "enhanced"] = "enhanced"


@dataclass(frozen=True)
class BetaLikenessModel(PrivacyModel):
    """Basic: (q - p) / p <= beta for every value; enhanced: <= min(beta, -ln p).

    Each is a bound on a class's shares, so a merger of good classes is good: monotone without a budget only.
    Its core: shares of at most (1 + beta) p add up to 1 only where the values present make up 1 / (1 + beta) of the table.
    """

    name: ClassVar[str] = "beta_likeness"
    citation: ClassVar[str] = (
        "J. Cao, P. Karras, Publishing microdata with a robust privacy guarantee, PVLDB 5(11), 2012"
    )

    beta: float
    kind: str = "enhanced"

    def figures(self) -> tuple[Figure, ...]:
        if self.kind == "basic":
            gain = Figure("gain", "max(m / p) / sum(m) - 1")
            return (PRESENT, gain, self._forced(f"p * {number(1 + self.beta)}"))
        least = f"least({number(self.beta)}, -ln(p))"
        excess = Figure("excess", f"max((m / n - p) / p - {least})")
        return (PRESENT, excess, self._forced(f"p * (1 + {least})"))

    def _forced(self, bound: str) -> Figure:
        """Rows of a value beyond its bound in the good parts; the bad parts may consist of it."""
        return Figure("forced", f"max(case when {bound} < 0.999 then (m - n * {bound}) / (1 - {bound}) else 0 end)")

    def violates(self) -> str:
        return f"{{gain}} > {self.beta + TOLERANCE!r}" if self.kind == "basic" else f"{{excess}} > {TOLERANCE!r}"

    def core(self) -> str:
        return f"{{present}} < {1 / (1 + self.beta) - TOLERANCE!r}"

    def certain(self) -> str:
        return "{forced}"

    def verification(self) -> tuple[Verification, ...]:
        if self.kind == "basic":
            gain = "select (q - p) / p as figure\nfrom shares"
            return (Verification(gain, Keeps.AT_MOST, self.beta, source=True),)
        beta = number(self.beta)
        least = f"case when -ln(p) < {beta} then -ln(p) else {beta} end"
        excess = f"select (q - p) / p - {least} as figure\nfrom shares\nwhere q > p"
        return (Verification(excess, Keeps.AT_MOST, 0.0, source=True),)

    @property
    def label(self) -> str:
        return f"{self.kind} beta-likeness of {self.column}, beta = {self.beta:g}"

    @property
    def guarantee(self) -> str:
        also = ", and the less so the more frequent it is (-ln of its share)" if self.kind == "enhanced" else ""
        return (
            f"No value of {self.column} is more likely in any class than in the whole source table by more than {self.beta:g} times its "
            f"share in the table{also}: finding a person's class raises the belief in any value by a bounded factor, rare values included."
        )

    @property
    def limits(self) -> str:
        return "It does not bound how unlikely a value may become: a class may reveal that a person does not have it."


MODEL = JobKey(
    BetaLikeness,
    (BetaLikenessModel,),
    lambda column, asked, _: BetaLikenessModel(column, asked.beta, asked.kind),
    number="beta",
)
