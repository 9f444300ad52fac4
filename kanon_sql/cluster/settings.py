"""What a local recoding driver needs to know of the job."""

from __future__ import annotations

from kanon_sql.cluster.block_questions import Objective
from kanon_sql.frozen import dataclass

REPEATED = 2
"""Rows that are alike, on average: from so many up it pays to work on combinations instead."""


@dataclass(frozen=True)
class ClusterSettings:
    """`rounds`: of the search, or of the final pass; None is the algorithm's own choice. `trees`: some attributes have levels;
    `combinations`: of values that rows have, 0 where they are not counted; `ruled`: there are rules; `nodes`: of the lattice;
    `embedded`: a statement costs little; `time_limit`: seconds, after which the best groups so far are the answer."""

    rows: int
    k: int
    rounds: int | None = None
    block: int = 400
    seed: int = 1
    relaxed: bool = False
    widest: bool = False
    trees: bool = False
    combinations: int = 0
    ruled: bool = False
    objective: Objective = "gain"
    attributes: int = 0
    nodes: int = 0
    embedded: bool = True
    time_limit: float | None = None

    def in_time(self, seconds: float) -> bool:
        """Whether what ends so many seconds after the search began ends in time."""
        return self.time_limit is None or seconds <= self.time_limit

    @property
    def repeated(self) -> bool:
        """Whether rows repeat so often that most share their combination with others."""
        return 0 < self.combinations * REPEATED <= self.rows

    @property
    def lends(self) -> bool:
        """Whether equal rows stay together in large groups, which lend rows to others at no gain of their own."""
        return self.trees or self.repeated
