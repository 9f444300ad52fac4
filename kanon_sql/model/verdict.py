"""What a check says of a node."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node


@dataclass(frozen=True)
class Verdict:
    """The frequency set of one node, in figures. Only counts cross the wire.

    `suppressed` counts the rows in classes that violate the privacy model; the node passes when they fit the budget.
    `k` is the size of the smallest class that would be kept (0 when none is), `min_class` the smallest of all.
    `k_passes` speaks, for a model that is not monotone, of what fails in every specialization as well: k-anonymity first of all,
    and the rows that must stay violating. None where it was not asked apart.
    `l` is the least number of distinct sensitive values in a class kept, where it was measured.
    `kept_classes` and `sums` speak of the kept classes alone. `loss` is the job's objective where it was computed exactly.
    """

    node: Node
    passes: bool
    min_class: int
    classes: int
    suppressed: int
    k: int = 0
    kept_classes: int = 0
    sums: Mapping[str, float] = field(default_factory=dict)
    loss: float | None = None
    k_passes: bool | None = None
    l: int | None = None  # noqa: E741 - the papers' letter
