"""Every name of a table, view or column that kanon_sql makes is made here."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from kanon_sql.sql.dialect import Relation

WORK_PREFIX = "r"
"""Work tables are named r<run>_<what>, so that a janitor can tell whose they are."""
KEPT_PREFIX = "kept_"
"""Tables that outlive a run on purpose: kept_<job>_<what it counts>."""


def shortened(name: str, max_bytes: int, suffix: str = "") -> str:
    """`name + suffix` within the engine's limit; a name that must be cut gets a digest, so two long names never collide."""
    whole = name + suffix
    if len(whole.encode()) <= max_bytes:
        return whole
    digest = hashlib.sha256(name.encode()).hexdigest()[:8]
    room = max_bytes - len(suffix.encode()) - len(digest) - 1
    return f"{name.encode()[:room].decode(errors='ignore')}~{digest}{suffix}"


@dataclass(frozen=True)
class WorkNames:
    """The work tables of one run, in a schema of their own."""

    schema: str
    run: str
    max_bytes: int = 63
    taken: frozenset[str] = frozenset()
    """The source's columns in lower case: the level view has them, too."""

    def work(self, what: str) -> Relation:
        return Relation((self.schema, f"{WORK_PREFIX}{self.run}_{what}"))

    @property
    def source(self) -> Relation:
        """A view over a file source, so that everything else reads a relation."""
        return self.work("source")

    @property
    def raw(self) -> Relation:
        """The base frequency set with the values as stored."""
        return self.work("raw")

    @property
    def base(self) -> Relation:
        """The base frequency set, dictionary-coded: every level of every quasi-identifier as a small integer."""
        return self.work("base")

    @property
    def levels(self) -> Relation:
        """The level view: every level of every quasi-identifier beside the source's columns."""
        return self.work("levels")

    def dictionary(self, attribute: int) -> Relation:
        return self.work(f"dictionary_{attribute}")

    def sensitive(self, attribute: int) -> Relation:
        return self.work(f"sensitive_{attribute}")

    def lookup(self, attribute: int) -> Relation:
        return self.work(f"lookup_{attribute}")

    def level_column(self, name: str, level: int) -> str:
        suffix = f"__{level}"
        while shortened(name, self.max_bytes, suffix).lower() in self.taken:
            suffix += "_"
        return shortened(name, self.max_bytes, suffix)


def code_column(attribute: int, level: int) -> str:
    """A level's code in the base and the dictionaries: q<attribute>_<level>."""
    return f"q{attribute}_{level}"


def label_column(level: int) -> str:
    """A level's label in a dictionary."""
    return f"label_{level}"


def version_table(view: Relation, version: int, max_bytes: int) -> Relation:
    """The table behind a release: <name>__v<version>, beside the view readers use."""
    return Relation((*view.parts[:-1], shortened(view.name, max_bytes, f"__v{version}")))


def staged_table(view: Relation, run: str, max_bytes: int) -> Relation:
    """A release that is not one yet: <name>__staged_<run>. It gets its version's name in the transaction that publishes it."""
    return Relation((*view.parts[:-1], shortened(view.name, max_bytes, f"__staged_{run}")))


def run_of_staged_table(relation: Relation, view: Relation, max_bytes: int) -> str | None:
    """The run that staged a release of the view under this name; none when it is not such a name."""
    found = re.search(r"__staged_([0-9a-z]+)$", relation.name)
    return found[1] if found and staged_table(view, found[1], max_bytes).name == relation.name else None


def version_of(text: str, view: Relation, max_bytes: int) -> int | None:
    """The version whose table a text (a view's definition, a table's name) names last; none when it names none."""
    found = [int(number) for number in re.findall(r"__v(\d+)(?!\w)", text)]
    named = [version for version in found if version_table(view, version, max_bytes).name in text.replace('""', '"')]
    return named[-1] if named else None


def run_of_work_table(relation: Relation) -> str | None:
    """The run whose work table it is; none when it is not one of ours."""
    found = re.match(rf"{WORK_PREFIX}(\d{{8}}t\d{{6}}x[0-9a-f]{{4,}})_", relation.name)
    return found[1] if found else None
