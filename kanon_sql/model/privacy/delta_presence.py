"""delta-presence (Nergiz, Atzori, Clifton 2007): how sure one can be that a person of a population is in the table."""

from __future__ import annotations

from typing import ClassVar

from pydantic import Field, model_validator

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import TOLERANCE, Keeps, PrivacyModel, Verification
from kanon_sql.model.privacy.registry import JobKey
from kanon_sql.model.section import Section


class DeltaPresence(Section):
    """delta-presence against the population: a number alone is the maximum."""

    min: float = Field(0.0, ge=0, le=1)
    max: float = Field(gt=0, le=1)

    @model_validator(mode="after")
    def _in_order(self) -> DeltaPresence:
        if self.min > self.max:
            raise ValueError("min is above max")
        return self


@dataclass(frozen=True)
class DeltaPresenceModel(PrivacyModel):
    """For every class: minimum <= size / (persons of the population with its quasi-identifiers) <= maximum.

    Monotone without a budget: a merger's ratio lies between its parts'. Not so with persons, who do not add up over the parts of a class:
    of two classes in which few are present, one may be made in which many are. A class that the population lacks is wholly present: 1.
    """

    name: ClassVar[str] = "delta_presence"
    citation: ClassVar[str] = (
        "M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007"
    )
    needs_population: ClassVar[bool] = True
    monotone_by_persons: ClassVar[bool] = False

    maximum: float
    minimum: float = 0.0

    def violates(self) -> str:
        above = f"c > {self.maximum + TOLERANCE!r} * population"
        return above if self.minimum <= 0 else f"({above} or c < {self.minimum - TOLERANCE!r} * population)"

    def certain(self) -> str:
        """The good parts hold at most `maximum` of the population; the rest of the class is in bad ones."""
        return f"c - {self.maximum!r} * population"

    def verification(self) -> tuple[Verification, ...]:
        presence = "case when fits > 0 then c / fits else 1e300 end"
        return (
            Verification(presence, Keeps.AT_MOST, self.maximum),
            Verification(presence, Keeps.AT_LEAST, self.minimum),
        )

    @property
    def label(self) -> str:
        low = f"{self.minimum:g} to " if self.minimum > 0 else "at most "
        return f"delta-presence, {low}{self.maximum:g}"

    @property
    def guarantee(self) -> str:
        low = f"between {self.minimum:g} and {self.maximum:g}" if self.minimum > 0 else f"at most {self.maximum:g}"
        return (
            f"For a person of the population table whose quasi-identifiers are published, the chance of being in the source is {low}: "
            "someone who knows the population cannot be surer than that of the person's presence."
        )

    @property
    def limits(self) -> str:
        return (
            "It holds against the population table given, as far as that is complete and current. Persons whose combination is not "
            "published at all are known to be absent or suppressed. It says nothing of sensitive values."
        )


MODEL = JobKey(
    DeltaPresence,
    (DeltaPresenceModel,),
    lambda _, asked, __: DeltaPresenceModel(None, asked.max, asked.min),
    number="max",
)
