"""(alpha,k)-anonymity (Wong, Li, Fu, Wang 2006): in every class a sensitive value's share is at most alpha."""

from __future__ import annotations

import math
from typing import ClassVar

from pydantic import Field

from kanon_sql.frozen import dataclass
from kanon_sql.model.counted import counted
from kanon_sql.model.privacy.model import DISTINCT, TOLERANCE, Figure, Keeps, PrivacyModel, Verification, shown
from kanon_sql.model.privacy.registry import JobKey
from kanon_sql.model.section import Section


class Alpha(Section):
    """(alpha,k)-anonymity of one sensitive column: a number alone is alpha for every value."""

    alpha: float = Field(gt=0, le=1)
    values: list[str | int | float | bool] = Field(default_factory=list, description="only these values; default: all")


@dataclass(frozen=True)
class AlphaK(PrivacyModel):
    """For every value (the paper's general model), or for the `values` named.

    Monotone without a budget: a merger's share lies between its parts'. Its core, for every value: 1/alpha distinct values.
    """

    name: ClassVar[str] = "alpha_k"
    citation: ClassVar[str] = (
        "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, (alpha,k)-anonymity: an enhanced k-anonymity model for privacy-preserving data "
        "publishing, KDD 2006"
    )

    alpha: float
    values: tuple[str, ...] = ()

    def figures(self) -> tuple[Figure, ...]:
        if not self.values:
            return (DISTINCT, Figure("share", "max(m) / sum(m)"))
        return (Figure("named_share", "max(case when {named} then m else 0 end) / sum(m)"),)

    def violates(self) -> str:
        return f"{{{'named_share' if self.values else 'share'}}} > {self.alpha + TOLERANCE!r}"

    def core(self) -> str:
        return "" if self.values else f"{{distinct}} < {math.ceil(1 / self.alpha - TOLERANCE)}"

    def certain(self) -> str:
        """A share is at most alpha in the good parts and 1 in the bad ones."""
        figure = "named_share" if self.values else "share"
        return f"n * ({{{figure}}} - {self.alpha!r}) / {1 - self.alpha!r}" if self.alpha < 1 else ""

    def verification(self) -> tuple[Verification, ...]:
        named = "\nwhere spread.named" if self.values else ""
        share = f"select m / n as figure\nfrom spread\njoin classes on classes.class = spread.class{named}"
        return (Verification(share, Keeps.AT_MOST, self.alpha),)

    @property
    def named_values(self) -> tuple[str, ...]:
        return self.values

    @property
    def label(self) -> str:
        which = f" ({counted(len(self.values), 'value')} named)" if self.values else ""
        return f"(alpha,k)-anonymity of {self.column}{which}, alpha = {self.alpha:g}"

    @property
    def guarantee(self) -> str:
        which = "any of the values named in the job" if self.values else "any value"
        return (
            f"In no class does {which} of {self.column} make up more than {self.alpha:.0%} of the rows: someone who finds a person's "
            f"class can attribute it to the person with a confidence of at most {self.alpha:g}."
        )

    @property
    def limits(self) -> str:
        rest = " Values that the job does not name are not protected." if self.values else ""
        return f"The bound is the same for frequent and rare values: a rare value may become much more likely than in the table.{rest}"


MODEL = JobKey(
    Alpha,
    (AlphaK,),
    lambda column, asked, _: AlphaK(column, asked.alpha, tuple(map(shown, asked.values))),
    number="alpha",
)
