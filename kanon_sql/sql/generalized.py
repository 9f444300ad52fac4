"""A table generalized to a node by the labels' own expressions: no codes, no dictionaries, no base.

What checks a release independently of the search, and what generalizes a population, reads tables through this.
"""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.lattice import Node
from kanon_sql.model.levels import LookupLevel, Raw
from kanon_sql.sql.dialect import Dialect, Relation
from kanon_sql.sql.level_labels import level_label, lookup_condition, published_value


@dataclass(frozen=True)
class Lookup:
    """A hierarchy written into the statement: its alias, its rows, and when a value matches."""

    alias: str
    rows: tuple[tuple[str, ...], ...]
    condition: str

    @property
    def columns(self) -> list[str]:
        return ["value", *(f"label_{level}" for level in range(1, len(self.rows[0])))]


@dataclass(frozen=True)
class Generalized:
    """A relation and what stands for each quasi-identifier in it; further columns are (name, expression) as well."""

    relation: Relation
    columns: tuple[tuple[str, str], ...]
    lookups: tuple[Lookup, ...]
    person: str | None = None
    """The column that names a person, where persons are counted."""


def generalized(
    dialect: Dialect,
    relation: Relation,
    attributes: Sequence[Attribute],
    node: Node,
    person: str | None = None,
    *,
    published: bool = False,
) -> Generalized:
    """The relation at a node, quasi-identifiers as the labels a reader reads, under their own names; `person` is taken as it is.

    `published`: with the types of a release, not as text.
    """
    columns: list[tuple[str, str]] = []
    lookups: list[Lookup] = []
    for index, (attribute, level) in enumerate(zip(attributes, node, strict=True)):
        value = f"rows.{dialect.identifier(attribute.name)}"
        spec = attribute.levels[level]
        if isinstance(spec, LookupLevel):
            alias = f"lookup_{index}"
            lookups.append(Lookup(alias, attribute.lookup, lookup_condition(dialect, attribute, value, alias)))
            columns.append((attribute.name, level_label(dialect, attribute, spec, value, alias)))
        else:
            label = level_label(dialect, attribute, spec, value, "")
            columns.append((attribute.name, label if isinstance(spec, Raw) else dialect.as_text(label)))
        if published:
            columns[-1] = (attribute.name, published_value(dialect, attribute, spec, value, columns[-1][1]))
    if person is not None and person not in [attribute.name for attribute in attributes]:
        columns.append((person, f"rows.{dialect.identifier(person)}"))
    return Generalized(relation, tuple(columns), tuple(lookups), person)
