"""Small random tables with their job, written to an engine; and the frequency sets of every node in plain Python."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from kanon_sql.backends.base import Backend
from kanon_sql.config.load import parse_job
from kanon_sql.config.schema import Job
from kanon_sql.model.lattice import Node
from kanon_sql.sql.statement import Statement
from tests.privacy.reference import Violates, reference

ILLS: dict[object, tuple[str, ...]] = {
    "flu": ("lung", "acute"),
    "asthma": ("lung", "acute"),
    "cancer": ("tumour", "chronic"),
    "ulcer": ("stomach", "chronic"),
    "gastritis": ("stomach", "chronic"),
}
ORDER = ["ulcer", "flu", "gastritis", "cancer", "asthma"]
LETTERS = {"a": "x", "b": "x", "c": "y", "d": "y"}
Row = tuple[Any, ...]
"""(town, age, ill, cost, person)"""


@dataclass(frozen=True)
class World:
    """A table, its population, the privacy section of its job, and the sections one by one as (key, column, settings)."""

    rows: list[Row]
    population: list[Row]
    privacy: dict[str, Any]
    sections: list[tuple[str, str, dict[str, Any]]]
    persons: bool

    def job(self, url: str, folder: Path, algorithm: str = "exhaustive", metric: str = "glm") -> Job:
        document = {
            "version": 1,
            "source": {"url": url, "table": "t"} | ({"person": "person"} if self.persons else {}),
            "privacy": self.privacy,
            "columns": {
                "town": {"role": "quasi", "groups": [{"x": ["a", "b"], "y": ["c", "d"]}, "*"]},
                "age": {"role": "quasi", "levels": [2, 4, "*"]},
                "ill": {"role": "sensitive"},
                "cost": {"role": "sensitive"},
                "person": {"role": "identifier"},
            },
            "utility": {"metric": metric},
            "search": {"algorithm": algorithm},
        }
        (folder / "ills.csv").write_text("".join(f"{v};{';'.join(path)};*\n" for v, path in ILLS.items()))
        return parse_job(json.dumps(document), folder / "job.yml")

    def write(self, backend: Backend) -> None:
        """The tables t and everyone, anew."""
        for table, rows in (("t", self.rows), ("everyone", self.population)):
            name = backend.dialect.relation(backend.relation(table))
            backend.execute(Statement("test/drop", f"drop table if exists {name}"))
            backend.execute(
                Statement(
                    "test/create",
                    f"create table {name} (town varchar, age integer, ill varchar, cost integer, person integer)",
                )
            )
            if rows:
                values = ", ".join(f"({backend.dialect.literals(row)})" for row in rows)
                backend.execute(Statement("test/insert", f"insert into {name} values {values}"))

    @property
    def budget(self) -> int:
        from fractions import Fraction

        return int(Fraction(str(self.privacy.get("suppression", 0))) * len(self.rows))

    def classes(self, node: Node) -> dict[Row, list[Row]]:
        found: dict[Row, list[Row]] = {}
        for row in self.rows:
            found.setdefault(generalized(row, node), []).append(row)
        return found

    def size(self, members: list[Row]) -> int:
        return len({row[4] for row in members}) if self.persons else len(members)

    def violates(self, key: Row, members: list[Row], node: Node) -> bool:
        if self.size(members) < self.privacy["k"] + self.privacy.get("margin", 0):
            return True
        return self.violates_beyond_k(key, members, node)

    def violates_beyond_k(self, key: Row, members: list[Row], node: Node) -> bool:
        size = self.size(members)
        fits = self.size([row for row in self.population if generalized(row, node) == key])
        if "k_map" in self.privacy and fits < self.privacy["k_map"]:
            return True
        presence = self.privacy.get("delta_presence")
        if presence is not None and not (presence["min"] * fits - 1e-9 <= size <= presence["max"] * fits + 1e-9):
            return True
        for name, column, settings in self.sections:
            place = 2 if column == "ill" else 3
            check: Violates = reference(name, settings, ILLS)
            if check([row[place] for row in members], [row[place] for row in self.rows]):
                return True
        return False

    def violating_rows(self, node: Node) -> int:
        return sum(len(members) for key, members in self.classes(node).items() if self.violates(key, members, node))


def generalized(row: Row, node: Node) -> Row:
    town, age = row[0], row[1]
    shown_town = "*" if node[0] == 2 else town if node[0] == 0 or town is None else LETTERS[town]
    width = (1, 2, 4)[node[1]] if node[1] < 3 else 0
    shown_age = "*" if not width else None if age is None else age // width
    return shown_town, shown_age


NODES: list[Node] = [(i, j) for i in range(3) for j in range(4)]


@st.composite
def model_sections(draw: DrawFn) -> list[tuple[str, str, dict[str, Any]]]:
    """One or two entries of the privacy section, over both sensitive columns."""
    found = []
    for _ in range(draw(st.integers(1, 2))):
        key = draw(
            st.sampled_from(
                ["l_diversity", "l_diversity", "t_closeness", "t_closeness", "p_sensitive", "alpha", "beta_likeness"]
            )
        )
        column = draw(st.sampled_from(["ill", "cost"]))
        if any((key, column) == (k, c) for k, c, _ in found):
            continue
        settings: dict[str, Any]
        if key == "l_diversity":
            kind = draw(st.sampled_from(["distinct", "entropy", "recursive"]))
            settings = {"kind": kind, "l": draw(st.sampled_from([2, 3]))}
            if kind == "entropy":
                settings["l"] = draw(st.sampled_from([1.5, 2, 2.5]))
            if kind == "recursive":
                settings["c"] = draw(st.sampled_from([0.5, 1, 1.5, 3]))
        elif key == "t_closeness":
            distance = draw(
                st.sampled_from(["equal", "ordered", "hierarchical"] if column == "ill" else ["equal", "ordered"])
            )
            settings = {"t": draw(st.sampled_from([0.1, 0.2, 0.3, 0.5])), "distance": distance}
            if distance == "hierarchical":
                settings["hierarchy"] = "ills.csv"
            if distance == "ordered" and column == "ill":
                settings["order"] = ORDER
        elif key == "p_sensitive":
            settings = {"p": draw(st.integers(1, 3))}
        elif key == "alpha":
            settings = {"alpha": draw(st.sampled_from([0.4, 0.5, 0.7]))}
            if draw(st.booleans()):
                settings["values"] = ["flu", "cancer"] if column == "ill" else [1, 2]
        else:
            settings = {
                "beta": draw(st.sampled_from([0.5, 1, 2])),
                "kind": draw(st.sampled_from(["basic", "enhanced"])),
            }
        found.append((key, column, settings))
    return found


@st.composite
def worlds(draw: DrawFn, budget: bool = True, populated: bool = True) -> World:
    people = draw(st.integers(4, 26))
    town = st.sampled_from([None, "a", "a", "b", "c", "d"])
    age = st.one_of(st.integers(0, 7), st.none() if draw(st.booleans()) else st.integers(0, 3))
    ill = st.sampled_from([*ILLS, "flu", None] if draw(st.booleans()) else ["flu", "flu", "cancer"])
    cost = st.sampled_from([1, 2, 3, 10] if draw(st.booleans()) else [1, 1, 2, None])
    persons = draw(st.booleans()) if populated else False
    many = st.integers(0, people // 2) if persons else None
    rows = [
        (draw(town), draw(age), draw(ill), draw(cost), draw(many) if many is not None else number)
        for number in range(people)
    ]
    privacy: dict[str, Any] = {
        "k": draw(st.integers(2, 3)),
        "suppression": draw(st.sampled_from([0, 0.1, 0.3])) if budget else 0,
    }
    if draw(st.integers(0, 3)) == 0:
        privacy["margin"] = 1
    population: list[Row] = []
    if populated and draw(st.integers(0, 2)) == 0:
        more = draw(st.integers(0, 12))
        population = [*rows, *((draw(town), draw(age), None, None, 100 + number) for number in range(more))]
        privacy["population"] = {"table": "everyone"}
        if draw(st.booleans()):
            privacy["k_map"] = draw(st.integers(2, 6))
        else:
            privacy["delta_presence"] = {
                "min": draw(st.sampled_from([0, 0.4])),
                "max": draw(st.sampled_from([0.6, 0.8, 1])),
            }
    sections = draw(model_sections())
    for key, column, settings in sections:
        privacy.setdefault(key, {})[column] = settings["p"] if key == "p_sensitive" else settings
    return World(rows, population, privacy, sections, persons)
