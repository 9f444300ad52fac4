"""k-anonymity (Samarati 2001; Sweeney 2002): every class has at least k rows, or persons where the job names a person key."""

from __future__ import annotations

from typing import ClassVar

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import PrivacyModel


@dataclass(frozen=True)
class KAnonymity(PrivacyModel):
    """Monotone with and without a budget: a class below k is made of classes below k only."""

    name: ClassVar[str] = "k_anonymity"
    citation: ClassVar[str] = (
        "P. Samarati, Protecting respondents' identities in microdata release, IEEE TKDE 13(6), 2001; "
        "L. Sweeney, k-anonymity: a model for protecting privacy, IJUFKS 10(5), 2002"
    )
    monotone_with_budget: ClassVar[bool] = True

    k: int
    persons: bool = False

    def violates(self) -> str:
        return f"c < {self.k}"

    @property
    def label(self) -> str:
        return f"k-anonymity, k = {self.k}"

    @property
    def guarantee(self) -> str:
        what = "persons" if self.persons else "records"
        chance = "" if self.persons else f": a guess among them is right with a chance of at most 1/{self.k}"
        return (
            f"Every combination of the quasi-identifiers that occurs in the release is shared by at least {self.k} {what}. "
            f"Someone who knows all quasi-identifiers of a person, and nothing else, cannot narrow the person down to fewer than "
            f"{self.k} {what}{chance}."
        )

    @property
    def limits(self) -> str:
        return (
            "It does not hide what the records of a class have in common: where all of them share a sensitive value, that value is "
            "known for everyone in the class (homogeneity), and outside knowledge may exclude some of them (background knowledge). "
            "It does not bind columns that are published but not declared quasi-identifiers, it does not hide that a person is "
            "in the release, and it does not add up over several releases of the same persons."
        )
