"""What a local recoding driver may ask. Every question is a fixed number of set-based statements; the answer is `Counts`."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import field

from kanon_sql.cluster.block_questions import BlockQuestion
from kanon_sql.frozen import dataclass


@dataclass(frozen=True)
class Counts:
    """What came of a round. `open`: rows still to be worked on; `done`: operations; `small`: groups under k; `groups`; `loss`: of all cells;
    `change`: of the loss by the operations, noise included; `seconds`: since the search began; `late`: the time is up."""

    open: int = 0
    done: int = 0
    small: int = 0
    groups: int = 0
    loss: float = 0.0
    change: float = 0.0
    seconds: float = 0.0
    late: bool = False
    levels: tuple[tuple[float, ...], ...] = ()


@dataclass(frozen=True)
class OpenTable:
    """The whole table is one group to be cut; `open` says how many rows. `strictly`: no cut will part equal rows."""

    strictly: bool = False


@dataclass(frozen=True)
class OpenGroups:
    """The groups of the assignment with more than `stop` rows are to be cut; the others stay as they are."""

    stop: int


@dataclass(frozen=True)
class CutOpen:
    """Cut every open group once; those of no more than `stop` rows, or that cannot be cut, are finished.

    `least`: rows on either side. `widest`: the widest attribute at its most even place, else where the loss falls most.
    `multiple_of`: equal values may be parted so that the sides are multiples of k, in groups of up to `strict_above` rows.
    """

    stop: int
    least: int
    widest: bool = False
    multiple_of: int | None = None
    strict_above: int = 1 << 60


@dataclass(frozen=True)
class CloseGroups:
    """The finished groups become the assignment."""


@dataclass(frozen=True)
class Sweep:
    """One round of moves and swaps between groups that meet in runs of `length` rows; see sql_templates/cluster/moving/operations."""

    length: int
    salt: int
    heat: float = 0.0
    penalty: float = 1000.0
    targets: int = 3
    plateau: bool = False
    room: int | None = None


@dataclass(frozen=True)
class StartClasses:
    """No row has a group yet; `levels` of the answer say what each level of each attribute costs a row on average."""


@dataclass(frozen=True)
class AssignClasses:
    """The classes of k rows or more among the free rows, at the first of these nodes where a row has one, become groups.

    A node is a level for each attribute, as StartClasses's answer counts them; `open` says how many rows are still free.
    """

    nodes: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class EndClasses:
    """The classes groups become the assignment; every row still free is a group of its own."""


@dataclass(frozen=True)
class AbsorbSmallGroups:
    """Rows of groups under k join other groups, `most` rows per group; `small` groups and `open` rows are left.

    With a `length` rows look only at the groups that they meet in runs of so many rows, else at all.
    """

    length: int | None = None
    salt: int = 0
    room: int | None = None
    most: int = 1


@dataclass(frozen=True)
class KeepGroups:
    """Set the assignment as it is aside."""


@dataclass(frozen=True)
class RestoreGroups:
    """The assignment is again what was set aside last."""


@dataclass(frozen=True)
class DissolveCostliest:
    """Of the `most` costliest groups, those whose rows would all together cost less elsewhere are dissolved: `done` groups.

    Each of their rows is then a group of its own, for AbsorbSmallGroups.
    """

    most: int
    length: int | None = None
    salt: int = 0


@dataclass(frozen=True)
class SuppressOutliers:
    """Rows that cost their group more than a suppressed row costs are suppressed, one of each group, within the budget: `done` rows."""


@dataclass(frozen=True)
class MeasureGroups:
    """Count the groups and their loss; nothing changes."""


Question = (
    OpenTable
    | OpenGroups
    | CutOpen
    | CloseGroups
    | StartClasses
    | AssignClasses
    | EndClasses
    | Sweep
    | AbsorbSmallGroups
    | DissolveCostliest
    | KeepGroups
    | RestoreGroups
    | SuppressOutliers
    | MeasureGroups
    | BlockQuestion
)
Driver = Generator[Question, Counts, "Grouping"]


@dataclass(frozen=True)
class Grouping:
    """What a driver returns: its name, how many rounds it took, and what it wants to tell, in words and in figures."""

    algorithm: str
    rounds: int
    notes: tuple[str, ...] = ()
    figures: Mapping[str, object] = field(default_factory=dict)
