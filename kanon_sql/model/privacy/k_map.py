"""k-map (Sweeney 2002): every published combination fits at least k persons of the population."""

from __future__ import annotations

from typing import Annotated, ClassVar

from pydantic import Field

from kanon_sql.frozen import dataclass
from kanon_sql.model.privacy.model import Keeps, PrivacyModel, Verification
from kanon_sql.model.privacy.registry import JobKey


@dataclass(frozen=True)
class KMap(PrivacyModel):
    """Monotone with and without a budget: a merger fits all whom its parts fit."""

    name: ClassVar[str] = "k_map"
    citation: ClassVar[str] = (
        "L. Sweeney, Achieving k-anonymity privacy protection using generalization and suppression, IJUFKS 10(5), 2002; "
        "K. El Emam, F. K. Dankar, Protecting privacy using k-anonymity, JAMIA 15(5), 2008"
    )
    monotone_with_budget: ClassVar[bool] = True
    needs_population: ClassVar[bool] = True

    k: int

    def violates(self) -> str:
        return f"population < {self.k}"

    def verification(self) -> tuple[Verification, ...]:
        return (Verification("fits", Keeps.AT_LEAST, self.k),)

    @property
    def label(self) -> str:
        return f"k-map, k = {self.k}"

    @property
    def guarantee(self) -> str:
        return (
            f"Every combination of the quasi-identifiers in the release fits at least {self.k} persons of the population table. Someone "
            f"who does not know whether a person is in the release cannot link a record to fewer than {self.k} persons of the population."
        )

    @property
    def limits(self) -> str:
        return (
            "Against someone who knows that the person is in the release, only the class's own size counts (k-anonymity). It holds "
            "against the population table given, as far as that is complete and current. It says nothing of sensitive values."
        )


MODEL = JobKey(
    Annotated[int, Field(ge=2)],
    (KMap,),
    lambda _, k, __: KMap(None, k),
    about="the least number of persons of the population a class fits",
)
