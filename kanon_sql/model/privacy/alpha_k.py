"""(alpha,k)-anonymity (Wong, Li, Fu, Wang 2006): in every class a sensitive value's share is at most alpha."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from kanon_sql.model.privacy.model import DISTINCT, TOLERANCE, Figure, PrivacyModel


@dataclass(frozen=True)
class AlphaK(PrivacyModel):
    """For every value (the paper's general model), or for the `values` named; `codes` are theirs in the table, as SQL.

    Monotone without a budget: a merger's share lies between its parts'. Its core, for every value: 1/alpha distinct values.
    """

    name: ClassVar[str] = "alpha_k"
    citation: ClassVar[str] = (
        "R. C.-W. Wong, J. Li, A. W.-C. Fu, K. Wang, (alpha,k)-anonymity: an enhanced k-anonymity model for privacy-preserving data "
        "publishing, KDD 2006"
    )

    alpha: float
    values: tuple[str, ...] = ()
    codes: tuple[int | str, ...] = ()

    def figures(self) -> tuple[Figure, ...]:
        if not self.values:
            return (DISTINCT, Figure("share", "max(m) / sum(m)"))
        chosen = f"s in ({', '.join(map(str, self.codes))})" if self.codes else "1 = 0"
        return (Figure("named_share", f"max(case when {chosen} then m else 0 end) / sum(m)"),)

    def violates(self) -> str:
        return f"{{{'named_share' if self.values else 'share'}}} > {self.alpha + TOLERANCE!r}"

    def core(self) -> str:
        return "" if self.values else f"{{distinct}} < {math.ceil(1 / self.alpha - TOLERANCE)}"

    def certain(self) -> str:
        """A share is at most alpha in the good parts and 1 in the bad ones."""
        figure = "named_share" if self.values else "share"
        return f"n * ({{{figure}}} - {self.alpha!r}) / {1 - self.alpha!r}" if self.alpha < 1 else ""

    @property
    def label(self) -> str:
        which = f" ({len(self.values)} values named)" if self.values else ""
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
