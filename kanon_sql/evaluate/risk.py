"""The risk of linking records to persons: prosecutor, journalist and marketer (El Emam, Guide to the de-identification of personal
health information, 2013; Elliot, Dale 1999), the share of unique rows and the share above a threshold.

Prosecutor: the attacker knows the person is in the table; the largest 1/size over classes. Journalist: the attacker does not know,
and links through the population; the largest 1/(persons of the population the class fits). Marketer: the attacker links everybody;
the expected share of right links, classes over records (the average of 1/size).
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.backends.base import Backend
from kanon_sql.backends.rows import Row
from kanon_sql.frozen import dataclass
from kanon_sql.model.lattice import Node
from kanon_sql.sql import statements
from kanon_sql.sql.class_shape import ClassShape
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.generalized import Generalized
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class Risk:
    """`journalist` and `journalist_marketer` are None without a population table. `threshold` is the job's 1/k unless given."""

    rows: int
    classes: int
    smallest: int
    prosecutor: float
    marketer: float
    unique_share: float
    threshold: float
    share_above: float
    journalist: float | None = None
    journalist_marketer: float | None = None

    def to_dict(self) -> dict[str, float | None]:
        return {
            "prosecutor": self.prosecutor,
            "journalist": self.journalist,
            "marketer": self.marketer,
            "journalist_marketer": self.journalist_marketer,
            "unique_share": self.unique_share,
            "threshold": self.threshold,
            "share_above": self.share_above,
        }


def measure_risk(
    backend: Backend,
    table: Relation,
    columns: Sequence[str],
    threshold: float,
    person: str | None = None,
    population: Generalized | None = None,
    rows: str = "count(*)",
) -> Risk:
    """The risks of a table as it stands; `population` is generalized as the table is; `rows`: `sum(n)` of a frequency set."""
    row = backend.fetch_one(statements.checks.risk(backend.dialect, table, columns, person, threshold, rows))
    if population is None:
        return _risk(row, threshold)
    figures = (("fewest", "min(fits)"), ("marketer", "sum(case when fits > 0 then n / fits else n end) / sum(n)"))
    found = backend.fetch_one(
        statements.release.verify_population(backend.dialect, table, columns, population, figures)
    )
    return _risk(row, threshold, found.fewest, found.marketer)


def node_risk(bench: Workbench, shape: ClassShape, node: Node, threshold: float) -> Risk:
    """The risks of what a node would release, before anything is staged."""
    statement = statements.checks.node_risk(bench.dialect, bench.frequency_source, bench.keys(node), shape, threshold)
    row = bench.backend.fetch_one(statement)
    return _risk(row, threshold, row.fewest, row.journalist_marketer)


def _risk(row: Row, threshold: float, fewest: float | None = None, marketer: float | None = None) -> Risk:
    rows, classes, sizes, smallest = int(row.rows), int(row.classes), int(row.sizes), int(row.smallest)
    return Risk(
        rows=rows,
        classes=classes,
        smallest=smallest,
        prosecutor=1 / smallest if smallest else 1.0,
        marketer=classes / sizes if sizes else 1.0,
        unique_share=int(row.unique_rows) / rows if rows else 0.0,
        threshold=threshold,
        share_above=int(row.above) / rows if rows else 0.0,
        journalist=None if fewest is None else 1 / float(fewest) if fewest else 1.0,
        journalist_marketer=None if marketer is None else float(marketer),
    )
