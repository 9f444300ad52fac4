"""How a search gets on: the best loss, what is proven of the rest, the checks; and how long it may still take."""

from __future__ import annotations

import math

from kanon_sql.frozen import dataclass

MOST = 200
"""Of more entries than this every other one is left out: a picture needs no more."""


@dataclass(frozen=True)
class SearchProgress:
    """One moment of a search. `loss` is None before anything passes, `bound` before anything is proven.

    `seconds_left` is a guess from the pace at which the gap closes, never more than the time limit leaves; None where there is no pace.
    """

    checks: int
    seconds: float
    loss: float | None
    bound: float | None
    seconds_left: float | None = None

    @property
    def gap(self) -> float | None:
        return None if self.loss is None or self.bound is None else max(0.0, self.loss - self.bound)

    def to_dict(self) -> dict[str, float | int | None]:
        return {"checks": self.checks, "seconds": round(self.seconds, 3), "loss": self.loss, "bound": self.bound}


class Timeline:
    """The moments at which the best loss or the proven bound changed."""

    def __init__(self, time_limit: float | None = None) -> None:
        self.moments: list[SearchProgress] = []
        self._limit = time_limit

    def note(self, checks: int, seconds: float, loss: float | None, bound: float) -> SearchProgress:
        """Take a moment in, and say how long it may still take."""
        known = bound if math.isfinite(bound) else None
        now = SearchProgress(checks, seconds, loss, known, self._left(seconds, loss, known))
        last = self.moments[-1] if self.moments else None
        if last is None or (last.loss, last.bound) != (loss, known):
            if len(self.moments) >= MOST:
                self.moments = self.moments[::2]
            self.moments.append(now)
        return now

    def _left(self, seconds: float, loss: float | None, bound: float | None) -> float | None:
        limit = None if self._limit is None else max(0.0, self._limit - seconds)
        if loss is None or bound is None:
            return limit
        gap = loss - bound
        since = next((m for m in self.moments if m.gap is not None and m.seconds >= seconds / 2), None)
        if since is None or since.gap is None or since.gap <= gap or seconds <= since.seconds:
            return limit
        at_this_pace = gap * (seconds - since.seconds) / (since.gap - gap)
        return at_this_pace if limit is None else min(limit, at_this_pace)
