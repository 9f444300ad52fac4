"""delta-presence (Nergiz, Atzori, Clifton 2007): how sure one can be that a person of a population is in the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from kanon_sql.model.privacy.model import TOLERANCE, PrivacyModel


@dataclass(frozen=True)
class DeltaPresence(PrivacyModel):
    """For every class: minimum <= size / (persons of the population with its quasi-identifiers) <= maximum.

    Monotone without a budget: a merger's ratio lies between its parts'. A class that the population lacks is wholly present: 1.
    """

    name: ClassVar[str] = "delta_presence"
    citation: ClassVar[str] = (
        "M. E. Nergiz, M. Atzori, C. Clifton, Hiding the presence of individuals from shared databases, SIGMOD 2007"
    )
    needs_population: ClassVar[bool] = True

    maximum: float
    minimum: float = 0.0

    def violates(self) -> str:
        above = f"c > {self.maximum + TOLERANCE!r} * population"
        return above if self.minimum <= 0 else f"({above} or c < {self.minimum - TOLERANCE!r} * population)"

    def certain(self) -> str:
        """The good parts hold at most `maximum` of the population; the rest of the class is in bad ones."""
        return f"c - {self.maximum!r} * population"

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
