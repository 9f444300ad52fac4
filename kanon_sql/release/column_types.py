"""The types of a release's columns, known before a search: they do not depend on its level unless the job says so."""

from __future__ import annotations

from collections.abc import Sequence

from kanon_sql.frozen import dataclass
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.model.attribute import Attribute
from kanon_sql.model.published_type import STORED, TEXT
from kanon_sql.sql.dialect import Relation
from kanon_sql.workbench.workbench import Workbench, published_columns


@dataclass(frozen=True)
class ChangingColumns:
    """How the next release's columns differ from those that readers see: `certain` will change, `possible` may, with the level."""

    certain: tuple[str, ...] = ()
    possible: tuple[str, ...] = ()


def changing_columns(bench: Workbench, view: Relation) -> ChangingColumns:
    """The columns of a view whose type the next release changes, and those it drops or moves."""
    seen = {column.name: column.kind for column in bench.backend.describe(view)}
    if not seen:
        return ChangingColumns()
    local = bench.job.search.algorithm in LOCAL_RECODINGS
    attributes = {attribute.name: attribute for attribute in bench.attributes}
    kinds = {name: _kind(attribute, local) for name, attribute in attributes.items()}
    certain = [name for name, kind in kinds.items() if kind is not None and seen.get(name, kind) != kind]
    if bench.job.publish is None or bench.job.publish.intervals == "text" or not local:
        now = published_columns(bench.job, bench.columns)
        certain += [
            name for place, name in enumerate(seen) if name not in certain and (place >= len(now) or now[place] != name)
        ]
    return ChangingColumns(tuple(certain), tuple(name for name, kind in kinds.items() if kind is None))


def keeps_types(bench: Workbench, table: Relation, attributes: Sequence[Attribute]) -> bool:
    """Whether a release made earlier has the types that the job would publish now."""
    seen = {column.name: column.kind for column in bench.backend.describe(table)}
    local = bench.job.search.algorithm in LOCAL_RECODINGS
    return all(seen.get(a.name) in (None, _kind(a, local) or seen[a.name]) for a in attributes)


def _kind(attribute: Attribute, local: bool) -> str | None:
    """The kind of a published column; none where it goes with the level."""
    if local or attribute.published_as == TEXT:
        return "text"
    if attribute.published_as == STORED:
        return attribute.kind if attribute.max_level == 0 else None
    return attribute.published_as
