"""A release beside its source: its frequency set, and which values of the source stand under each of its labels."""

from __future__ import annotations

from kanon_sql.evaluate.score import described_attribute, published_labels_of
from kanon_sql.frozen import dataclass
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statements.metrics import ScoredAttribute
from kanon_sql.workbench.objectives import resolutions
from kanon_sql.workbench.workbench import Workbench


@dataclass(frozen=True)
class PublishedTable:
    """`table` is the frequency set (label_<i>, target, n), `covers[i]` the (label_key, code) pairs of attribute i."""

    table: Relation
    attributes: tuple[ScoredAttribute, ...]
    covers: tuple[Relation, ...]


def read_release(bench: Workbench, release: Relation, name: str, target: str | None = None) -> PublishedTable:
    """Read a release into work tables called after `name`; `target` is a column to keep beside the labels."""
    labels, _ = published_labels_of(bench, release, [])
    table = bench.names.published(name)
    statement = statements.metrics.published(bench.dialect, table, release, labels, target)
    bench.make_table(table, statement)
    units = resolutions(bench)
    attributes = tuple(described_attribute(bench, i, units.get(i, 1.0)) for i in range(len(bench.attributes)))
    covers = []
    for attribute in attributes:
        cover = bench.names.cover(name, attribute.index)
        bench.make_table(cover, statements.evaluate.cover(bench.dialect, cover, table, attribute))
        covers.append(cover)
    return PublishedTable(table, attributes, tuple(covers))
