"""How large a reserve groups need so that they outlast the nights to come: `privacy.margin: auto`.

A group that began with s people is published while k of them are there. If everybody leaves with the same chance, the number who leave is
binomial; a group retires, and those who stayed are withheld, when more than s - k have left.
"""

from __future__ import annotations

from math import comb

from kanon_sql.frozen import dataclass

ASSUMED_CHURN = 0.001
"""The share of people who leave in a night, where none is stated and none was seen."""
WORTH = 10
"""One person may be withheld for so many who leave."""
MOST_RETIRED = 0.01
"""The share of people that may be withheld after all nights, however many leave."""
MOST_MARGIN = 60
EVEN = ("anneal", "auto", "k-member")
"""Algorithms whose groups have hardly more rows than they must; those of the others have up to twice as many."""


@dataclass(frozen=True)
class Margin:
    """The margin, how many people would be withheld for it after all nights, and how many with none."""

    margin: int
    retired: float
    without: float
    churn: float
    nights: int
    origin: str = "assumed"

    @property
    def why(self) -> str:
        return (
            f"privacy.margin auto: {self.margin}, since {self.churn:.2%} of the people leave each night ({self.origin}): after "
            f"{self.nights} nights about {self.retired:.1%} of those who stayed would be withheld for the others' leaving, "
            f"with no margin {self.without:.1%}"
        )


def chance_of_retiring(size: int, k: int, gone: float) -> float:
    """That more than size - k of `size` people leave, each with the chance `gone`."""
    stays = sum(comb(size, left) * gone**left * (1 - gone) ** (size - left) for left in range(max(0, size - k) + 1))
    return max(0.0, 1.0 - stays)


def retired_share(least: int, k: int, gone: float, even: bool) -> float:
    """The share of people in groups that retire; `even`: all groups have the least size, else the sizes up to twice that are alike often."""
    sizes = [least] if even else range(least, 2 * least)
    return sum(size * chance_of_retiring(size, k, gone) for size in sizes) / sum(sizes)


def choose_margin(k: int, churn: float, nights: int, algorithm: str, origin: str = "assumed") -> Margin:
    """The least margin with which few enough people are withheld because others left."""
    gone = 1 - (1 - churn) ** nights
    even = algorithm in EVEN
    allowed = min(MOST_RETIRED, gone / WORTH)
    without = retired_share(k, k, gone, even)
    share = without
    for margin in range(MOST_MARGIN + 1):
        share = retired_share(k + margin, k, gone, even)
        if share <= allowed:
            return Margin(margin, share, without, churn, nights, origin)
    return Margin(MOST_MARGIN, share, without, churn, nights, origin)
