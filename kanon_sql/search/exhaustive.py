"""exhaustive: check every node. The truth the others are compared with; needs no monotonicity of anything."""

from __future__ import annotations

import itertools

from kanon_sql.metrics.objective import Objective
from kanon_sql.model.lattice import Lattice
from kanon_sql.search.ledger import Ledger, Steps, conduct
from kanon_sql.search.questions import Driver
from kanon_sql.search.settings import SearchSettings


def exhaustive(lattice: Lattice, objective: Objective, settings: SearchSettings) -> Driver:
    """Every node of the lattice, in lexicographic order, a batch at a time."""
    ledger = Ledger(lattice, objective, settings)
    return conduct("exhaustive", ledger, _steps(ledger), exact=True)


def _steps(ledger: Ledger) -> Steps:
    nodes = ledger.lattice.nodes()
    while batch := tuple(itertools.islice(nodes, max(1, ledger.settings.batch))):
        yield from ledger.evaluate(batch)
