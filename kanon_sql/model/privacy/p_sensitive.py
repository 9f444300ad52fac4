"""p-sensitive k-anonymity (Truta, Vinay 2006): every class has at least p distinct values of each sensitive column."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.l_diversity import SKEW
from kanon_sql.model.privacy.model import DISTINCT, DISTINCT_VALUES, Figure, Keeps, PrivacyModel, Verification
from kanon_sql.model.privacy.registry import JobKey


@dataclass(frozen=True)
class PSensitive(PrivacyModel):
    """Monotone with and without a budget: a merger has the values of all its parts."""

    name: ClassVar[str] = "p_sensitive"
    citation: ClassVar[str] = (
        "T. M. Truta, B. Vinay, Privacy protection: p-sensitive k-anonymity property, ICDE Workshops 2006"
    )
    monotone_with_budget: ClassVar[bool] = True

    p: int

    def figures(self) -> tuple[Figure, ...]:
        return (DISTINCT,)

    def violates(self) -> str:
        return f"{{distinct}} < {self.p}"

    def verification(self) -> tuple[Verification, ...]:
        return (Verification(DISTINCT_VALUES, Keeps.AT_LEAST, self.p),)

    @property
    def label(self) -> str:
        return f"p-sensitivity of {self.column}, p = {self.p}"

    @property
    def guarantee(self) -> str:
        return f"In every class at least {self.p} different values of {self.column} occur: no class reveals the value outright."

    @property
    def limits(self) -> str:
        return f"It says nothing of how often each value occurs: one value may make up nearly the whole class. {SKEW}"


MODEL = JobKey(Annotated[int, Field(ge=1)], (PSensitive,), lambda column, p, _: PSensitive(column, p))
