"""The questions of algorithms that work inside blocks: growing groups row by row, merging clusters, halving groups by seeds.

As with every question, a fixed number of statements answers one, for all blocks and groups together.
"""

from __future__ import annotations

from typing import Literal

from kanon_sql.frozen import dataclass

MergeMeasure = Literal["loss", "research_value", "ranges"]
"""What a merger is weighed by: the loss of the job's metric, the research value, or the sum of ranges."""
Objective = Literal["gain", "merged"]
"""What it costs the table (gain), or what the merged cluster is worth alone (merged)."""


@dataclass(frozen=True)
class StartGrowing:
    """Every row is free, in its block: the groups of the assignment, or the whole table as one where `whole` says so.

    `spatial`: groups grow by the distances of SpatialDistance, else by the loss.
    """

    whole: bool
    spatial: bool = False


@dataclass(frozen=True)
class GrowGroups:
    """In every block with k free rows a seed and k - 1 rows more become a group; `done` says how many groups."""


@dataclass(frozen=True)
class PlaceLeftovers:
    """Free rows join the group of their block that is nearest, one row per group; `open` are left."""


@dataclass(frozen=True)
class EndGrowing:
    """The grown groups become the assignment."""


@dataclass(frozen=True)
class StartMerging:
    """Identical rows of a block are a cluster. `suppress`: a merger may blank attributes of one of its sides."""

    whole: bool
    measure: MergeMeasure
    suppress: bool = False


@dataclass(frozen=True)
class MergePairs:
    """Every cluster under k chooses a partner in its block; pairs that are best for both are merged. `small`: clusters under k."""

    objective: Objective


@dataclass(frozen=True)
class SettleBlanks:
    """No row is singled out by a blank: rows blanked alike are the groups of the assignment, k or more of them."""


@dataclass(frozen=True)
class OpenRows:
    """The whole table is one group to be halved; `open` says how many rows."""


@dataclass(frozen=True)
class HalveOpen:
    """Halve every open group between two rows far apart, each side of at least k rows; those of no more than `stop` are finished."""

    stop: int
    seed_rounds: int
    salt: int


BlockQuestion = (
    StartGrowing
    | GrowGroups
    | PlaceLeftovers
    | EndGrowing
    | StartMerging
    | MergePairs
    | SettleBlanks
    | OpenRows
    | HalveOpen
)
