"""What suppressing rows adds to a separable loss at least, from the cells of one attribute at one level."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate

from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class LeastAdded:
    """The rows of a table by what suppressing one adds to the loss, the cheapest first: a convex function of their number.

    Whichever rows a node suppresses, so many of them add no less than the cheapest so many do.
    """

    up_to: tuple[int, ...]
    """How many rows there are up to each step."""
    total: tuple[float, ...]
    """What all of those add together."""
    each: tuple[float, ...]
    """What one row of the step adds."""

    @classmethod
    def of(cls, steps: Iterable[tuple[float, int]]) -> LeastAdded:
        """From (what one row adds, how many rows) in any order."""
        ordered = sorted((max(0.0, each), rows) for each, rows in steps if rows > 0)
        return cls(
            tuple(accumulate(rows for _, rows in ordered)),
            tuple(accumulate(each * rows for each, rows in ordered)),
            tuple(each for each, _ in ordered),
        )

    def by(self, rows: int) -> float:
        """What suppressing so many rows adds at least."""
        if rows <= 0 or not self.up_to:
            return 0.0
        place = bisect_left(self.up_to, rows)
        if place == len(self.up_to):
            return self.total[-1]
        return self.total[place] - (self.up_to[place] - rows) * self.each[place]
