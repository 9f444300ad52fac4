"""repeated: in every class a number of sensitive values occur at least twice each. A throw-away privacy model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pydantic import Field

from kanon_sql.model.privacy.model import Figure, Keeps, PrivacyModel, Verification
from kanon_sql.model.privacy.registry import JobKey
from kanon_sql.model.section import Section


class Repeated(Section):
    """A number alone is the number of values."""

    values: int = Field(ge=1)


@dataclass(frozen=True)
class RepeatedValues(PrivacyModel):
    """Monotone with and without a budget: what occurs twice in a part occurs twice in the merger."""

    name: ClassVar[str] = "repeated_values"
    citation: ClassVar[str] = "nobody"
    monotone_with_budget: ClassVar[bool] = True

    values: int

    def figures(self) -> tuple[Figure, ...]:
        return (Figure("repeated", "sum(case when m >= 2 then 1 else 0 end)"),)

    def violates(self) -> str:
        return f"{{repeated}} < {self.values}"

    def verification(self) -> tuple[Verification, ...]:
        counted = "select count(case when m > 1 then s end) as figure\nfrom spread\ngroup by class"
        return (Verification(counted, Keeps.AT_LEAST, self.values),)

    @property
    def label(self) -> str:
        return f"repeated values of {self.column}, {self.values}"

    @property
    def guarantee(self) -> str:
        return f"In every class {self.values} values of {self.column} occur twice."

    @property
    def limits(self) -> str:
        return "Everything else."


MODEL = JobKey(
    Repeated, (RepeatedValues,), lambda column, asked, _: RepeatedValues(column, asked.values), number="values"
)
