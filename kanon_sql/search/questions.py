"""What a lattice driver may ask. A driver is a generator: `verdicts = yield CheckNodes(nodes)`.

The one who answers (kanon_sql.workbench.answers with SQL; a dictionary in tests) sends back a list of verdicts in the
order of the nodes asked. A driver never sees SQL, Jinja or a connection, so it runs without a database.
"""

from __future__ import annotations

from collections.abc import Generator

from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.model.verdict import Verdict


@dataclass(frozen=True)
class CheckNodes:
    """Do these nodes satisfy the privacy model within the suppression budget? One statement for the whole batch.

    Nodes may lie anywhere up to the lattice's `star`, so a projection on few attributes is a node as well.
    """

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class ScoreNodes:
    """As CheckNodes, and the exact loss of the job's objective with its suppressed rows counted: dearer than a check.

    Needed only where a verdict has suppressed rows and the objective is not `exact_from_counts`.
    """

    nodes: tuple[Node, ...]


@dataclass(frozen=True)
class Narrow:
    """No node below `bottom` will be asked for again: the one who answers may shrink the base frequency set to it.

    `mostly`: much of what is asked for next lies at or above `bottom`, but not all. The answer is an empty list.
    """

    bottom: Node
    mostly: bool = False


@dataclass(frozen=True)
class MeasureNodes:
    """The k of each node under the budget, with no k given: suppress the smallest classes while their rows fit the budget.

    The verdict's `k` is the size of the smallest class kept, `suppressed` the rows dropped for it, `loss` the exact loss of the
    objective with those rows counted (spec of POkA, section 5.1 of the paper); `passes` is always true.
    """

    nodes: tuple[Node, ...]
    remembered: bool = False
    """Their small classes will be asked about (BoundK)."""


@dataclass(frozen=True)
class KBound:
    """Is the k of a node at most `most`? `generalizations` are measured ones of it, whose small classes are remembered."""

    node: Node
    most: int
    generalizations: tuple[Node, ...]


@dataclass(frozen=True)
class BoundK:
    """What measured nodes say of others together: a row's class lies within its class at every generalization, so the rows that are in a
    class of at most `most` rows at any of them are in such a class at the node as well.

    Where these rows alone pass the budget, the k of the node is at most `most`: the verdict has that k and does not pass. It is far
    cheaper to count than the node's classes. The answer is empty where small classes are not remembered.
    """

    bounds: tuple[KBound, ...]


class StopSearch(Exception):
    """Thrown into a driver to end it early: it returns the best node found so far and what is proven of the rest."""


Question = CheckNodes | ScoreNodes | MeasureNodes | BoundK | Narrow
Answer = list[Verdict]
Driver = Generator[Question, Answer, "Outcome"]


@dataclass(frozen=True)
class Outcome:
    """What a search returns. `exact` is claimed only where it is proven; `gap` bounds how far the best may be from the optimum.

    `best` is None where nothing passes; then `reason` says why. `seen` are the passing nodes evaluated, best first.
    """

    algorithm: str
    best: Verdict | None
    exact: bool
    gap: float
    seen: tuple[Verdict, ...] = ()
    checks: int = 0
    reason: str = ""
    notes: tuple[str, ...] = ()
    figures: dict[str, object] | None = None


NothingPasses = "no node of the lattice satisfies the privacy model within the suppression budget"
