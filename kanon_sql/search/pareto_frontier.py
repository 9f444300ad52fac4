"""The Pareto frontier: every k worth choosing and what it costs (Dewri et al. 2009, section 3.3), its knees, and two
compared.

A point dominates another when it is at least as good in every privacy dimension and in loss, and better in one. Of
nodes with the same figures one stands for all: the one with fewer `*` attributes, then the lexicographically smallest
of those evaluated.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Lattice, Node
from kanon_sql.model.verdict import Verdict

DIGITS = 12
"""Losses are compared after rounding to so many decimals: sums of the same cells may differ in the last bits between
engines."""

JUMP = 0.025
"""A climb in loss is a jump when it takes so much more of the frontier's whole loss than it gives of its whole log
k."""


@dataclass(frozen=True)
class FrontierPoint:
    """A node worth choosing: no other has a higher k (and l) at no more loss. `l` only where it was a dimension."""

    k: int
    loss: float
    node: Node
    suppressed: int
    l: int | None = None  # noqa: E741 - the papers' letter
    knee: bool = False

    @property
    def privacy(self) -> tuple[int, ...]:
        return (self.k,) if self.l is None else (self.k, self.l)


@dataclass(frozen=True)
class BandPoint:
    """Where the frontier runs at one k: not above the least loss found for it, not below the bound proven for it."""

    k: int
    loss: float | None
    bound: float


@dataclass(frozen=True)
class Frontier:
    """Points in ascending k (then l). `exact`: proven complete. `proven`: ranges of k, inclusive, whose least loss is
    proven.

    `ceiling` is the k of the top node: no node has more. `nodes` is the size of the lattice, `evaluated` the nodes
    measured.
    """

    metric: str
    algorithm: str
    exact: bool
    nodes: int
    evaluated: int
    statements: int
    points: tuple[FrontierPoint, ...]
    names: tuple[str, ...]
    ceiling: int
    proven: tuple[tuple[int, int], ...] = ()
    notes: tuple[str, ...] = ()
    band: tuple[BandPoint, ...] = ()
    """For a lattice too large to list: between which losses the frontier runs, at a ladder of k."""

    def at_k(self, k: int) -> FrontierPoint | None:
        """The cheapest point with at least this k; None where no node reaches it."""
        reaching = [point for point in self.points if point.k >= k]
        return min(reaching, key=lambda point: (point.loss, -point.k), default=None)

    def to_dict(self, seconds: float | None = None) -> dict[str, Any]:
        """The stable document of `kanon pareto --json`; the register keeps the same."""
        document: dict[str, Any] = {
            "metric": self.metric,
            "algorithm": self.algorithm,
            "exact": self.exact,
            "nodes": self.nodes,
            "evaluated": self.evaluated,
            "statements": self.statements,
            "points": [self._point(point) for point in self.points],
            "proven": [list(span) for span in self.proven],
            "ceiling": self.ceiling,
            "notes": list(self.notes),
        }
        if self.band:
            document["band"] = [dict(point.__dict__) for point in self.band]
        if seconds is not None:
            document["seconds"] = seconds
        return document

    def _point(self, point: FrontierPoint) -> dict[str, Any]:
        entry: dict[str, Any] = {
            "k": point.k,
            "loss": point.loss,
            "node": dict(zip(self.names, point.node, strict=True)),
            "suppressed": point.suppressed,
            "knee": point.knee,
        }
        if point.l is not None:
            entry["l"] = point.l
        return entry


def frontier_from_json(document: Mapping[str, Any]) -> Frontier:
    """A frontier as the register kept it."""
    names = tuple(document["points"][0]["node"]) if document["points"] else ()
    points = tuple(
        FrontierPoint(
            entry["k"],
            entry["loss"],
            tuple(entry["node"][name] for name in names),
            entry["suppressed"],
            entry.get("l"),
            entry.get("knee", False),
        )
        for entry in document["points"]
    )
    return Frontier(
        metric=document["metric"],
        algorithm=document["algorithm"],
        exact=document["exact"],
        nodes=document["nodes"],
        evaluated=document["evaluated"],
        statements=document.get("statements", 0),
        points=points,
        names=names,
        ceiling=document.get("ceiling", max((point.k for point in points), default=0)),
        proven=tuple((low, high) for low, high in document.get("proven", ())),
        notes=tuple(document.get("notes", ())),
        band=tuple(BandPoint(**point) for point in document.get("band", ())),
    )


def point_of(verdict: Verdict, loss: float, with_l: bool = False) -> FrontierPoint:
    """The figures of a measured node as a candidate for the frontier."""
    if with_l and verdict.l is None:
        raise ValueError("the frontier of (k, l, loss) needs verdicts that carry l")
    return FrontierPoint(
        verdict.k, round(loss, DIGITS), verdict.node, verdict.suppressed, verdict.l if with_l else None
    )


def dominates(one: FrontierPoint, other: FrontierPoint) -> bool:
    """At least as good in every dimension, and better in one."""
    covers = one.loss <= other.loss and all(a >= b for a, b in zip(one.privacy, other.privacy, strict=True))
    return covers and (one.loss, one.privacy) != (other.loss, other.privacy)


def nondominated(points: Iterable[FrontierPoint], lattice: Lattice) -> list[FrontierPoint]:
    """The frontier of these points, ascending in k, then l; one node per figures."""
    kept: list[FrontierPoint] = []
    # In this order a point can only be covered by one that came before it.
    for point in sorted(points, key=lambda p: (p.loss, tuple(-v for v in p.privacy), lattice.roots(p.node), p.node)):
        if len(point.privacy) == 1:
            if not kept or point.k > kept[-1].k:
                kept.append(point)
        elif not any(all(a >= b for a, b in zip(found.privacy, point.privacy, strict=True)) for found in kept):
            kept.append(point)
    return sorted(kept, key=lambda p: p.privacy)


def with_knees(points: Sequence[FrontierPoint]) -> tuple[FrontierPoint, ...]:
    """Mark the knees: the smallest k after which loss jumps.

    After Kneedle (Satopaa et al. 2011): log k and loss of the frontier are scaled to [0, 1], and the lead of a point
    is its scaled log k minus its scaled loss. Where the lead falls, loss climbs faster than over the frontier as a
    whole. A knee is the point where such a climb starts, if the lead falls by JUMP or more before it rises again. k =
    1 is no privacy, so never a knee.
    With l as a dimension the knees are those of (k, loss) alone.
    """
    curve: list[FrontierPoint] = []
    for point in sorted(points, key=lambda p: (p.loss, -p.k)):
        if not curve or point.k > curve[-1].k:
            curve.append(point)
    knees = {id(curve[place]) for place in _starts_of_jumps(curve)}
    return tuple(FrontierPoint(p.k, p.loss, p.node, p.suppressed, p.l, id(p) in knees) for p in points)


def _starts_of_jumps(curve: Sequence[FrontierPoint]) -> list[int]:
    if len(curve) < 3:
        return []
    reach = math.log(curve[-1].k / curve[0].k)
    rise = curve[-1].loss - curve[0].loss
    leads = [math.log(p.k / curve[0].k) / reach - (p.loss - curve[0].loss) / rise for p in curve]
    starts, place = [], 0
    while place < len(leads) - 1:
        end = place
        while end + 1 < len(leads) and leads[end + 1] < leads[end]:
            end += 1
        if leads[place] - leads[end] >= JUMP and curve[place].k > 1:
            starts.append(place)
        place = max(end, place + 1)
    return starts


@dataclass(frozen=True)
class FrontierChange:
    """The loss of one k in two frontiers; None where the k cannot be reached."""

    k: int
    before: float | None
    after: float | None

    @property
    def difference(self) -> float | None:
        return None if self.before is None or self.after is None else round(self.after - self.before, DIGITS)


def compare_frontiers(before: Frontier, after: Frontier) -> tuple[FrontierChange, ...]:
    """The least loss at every k that is a point of either frontier: tonight's against last week's."""
    if before.metric != after.metric:
        raise ValueError(f"the frontiers are of different losses: {before.metric} and {after.metric}")
    changes = []
    for k in sorted({point.k for point in (*before.points, *after.points)}):
        old, new = before.at_k(k), after.at_k(k)
        changes.append(FrontierChange(k, old.loss if old else None, new.loss if new else None))
    return tuple(changes)
