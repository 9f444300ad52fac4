"""An attacker who holds every release and knows who is in the table, by brute force: never fewer than k candidates.

Nothing here judges with the package's own code. Every published row carries a mark that only the test reads; it says whose row it is. The
attacker reads labels alone. Worlds are small and nights random: people come, go and change, have several rows, and two jobs publish them.
"""

from __future__ import annotations

import tempfile
from collections.abc import Hashable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import kanon_sql
from kanon_sql.errors import CompositionRisk, NoSolution
from tests.drawn import drawn
from tests.support import execute, fetch, job_of, make_table

K = 3
Row = tuple[int, int, int, int]
"""(mark, person, a, b)"""


@dataclass
class Release:
    """What was published: the label of every row, by whose row it is, and under which levels."""

    job: str
    node: dict[str, int] | None
    labels: dict[Hashable, tuple[str, str]]
    person: dict[Hashable, int]


@dataclass
class World:
    """The table, what was released of it, and how a row is known again: by its person, or by person and values."""

    url: str
    several: bool
    guard: str
    releases: list[Release] = field(default_factory=list)

    def rows(self) -> list[Row]:
        return [tuple(map(int, row)) for row in fetch(self.url, "select mark, person, a, b from t")]  # type: ignore[misc]

    def who(self, row: Row) -> Hashable:
        return (row[1], row[2], row[3]) if self.several else row[1]

    def publish(self, job: str, weight: float, reuse: bool) -> None:
        columns: dict[str, Any] = {
            "mark": {"role": "keep"},
            "person": {"role": "identifier"},
            "a": {"role": "quasi", "levels": [2, "*"], "weight": weight},
            "b": {"role": "quasi", "levels": [2, "*"]},
        }
        wanted = job_of(
            self.url,
            "t",
            columns,
            K,
            source={"person": "person", "fingerprint": False},
            privacy={"suppression": 0.6, "accept": ["nearly_unique_columns", "recoverable_suppression"]},
            search={"algorithm": "exhaustive", "reuse": reuse},
            publish={"table": f"rel.{job}", "guard": self.guard},
        )
        rows = {row[0]: row for row in self.rows()}
        try:
            result = kanon_sql.run(wanted)
        except (CompositionRisk, NoSolution):
            return  # nothing was published, so nothing was given away
        found = fetch(self.url, f"select mark, a, b from rel.{job}")
        shown = {self.who(rows[int(mark)]): (str(a), str(b)) for mark, a, b in found}
        person = {self.who(rows[int(mark)]): rows[int(mark)][1] for mark, _, _ in found}
        self.releases.append(Release(job, result.plan.node, shown, person))


def stays(world: World, row: Hashable) -> list[Release]:
    """The releases of a row's stay in each job: since it last came, or moved to another class under the same levels."""
    kept: dict[str, list[Release]] = {}
    for release in world.releases:
        if row in release.labels:
            before = kept.setdefault(release.job, [])
            if before and before[-1].node == release.node and before[-1].labels[row] != release.labels[row]:
                before.clear()
            before.append(release)
    return [release for job in kept.values() for release in job]


def fewest_candidates(world: World) -> int:
    """Over everybody in the newest release: the persons who were in the same class wherever that row was."""
    newest = world.releases[-1]
    fewest = len(newest.labels)
    for row in newest.labels:
        path = stays(world, row)
        alike = {
            newest.person[other]
            for other in newest.labels
            if all(release.labels.get(other) == release.labels[row] for release in path)
        }
        fewest = min(fewest, len(alike))
    return fewest


def smallest_cell(world: World) -> int:
    """Strictly: the fewest persons with one history over all releases, being missing included."""
    histories: dict[tuple[Any, ...], set[Hashable]] = {}
    for row in {row for release in world.releases for row in release.labels}:
        history = tuple(release.labels.get(row) for release in world.releases)
        histories.setdefault(history, set()).add(row[0] if isinstance(row, tuple) else row)
    return min(map(len, histories.values()))


change = st.tuples(
    st.sampled_from(["come", "go", "change", "again"]), st.integers(0, 59), st.integers(0, 3), st.integers(0, 3)
)
night = st.tuples(
    st.sampled_from(["one", "one", "two"]),
    st.sampled_from([0.1, 1.0, 9.0]),
    st.booleans(),
    st.lists(change, max_size=12),
)


def live(world: World, people: int, nights: list[Any]) -> None:
    rows = [(i, i, i * 7 % 4, i * 5 % 3) for i in range(people)]
    if world.several:
        rows += [(1000 + i, i, i * 3 % 4, i * 11 % 4) for i in range(0, people, 2)]
    make_table(world.url, "t", ["mark integer", "person integer", "a integer", "b integer"], rows)
    mark = 5000
    for job, weight, reuse, changes in nights:
        for what, who, a, b in changes:
            mark += 1
            if what == "come" or (what == "again" and world.several):
                person = who if what == "again" else mark
                execute(world.url, f"insert into t values ({mark}, {person}, {a}, {b})")
            elif what == "go":
                execute(world.url, f"delete from t where person = {who}")
            elif what == "change":
                execute(world.url, f"update t set a = {a}, b = {b} where person = {who}")
        published = len(world.releases)
        world.publish(job, weight, reuse)
        if len(world.releases) > published:
            assert fewest_candidates(world) >= K
            if world.guard == "always":
                assert smallest_cell(world) >= K


@pytest.mark.parametrize("several", [False, True])
@pytest.mark.parametrize("guard", ["changed", "always"])
@settings(max_examples=drawn(3), deadline=None, suppress_health_check=list(HealthCheck))
@given(people=st.integers(12, 40), nights=st.lists(night, min_size=2, max_size=5))
def test_never_fewer_than_k_candidates(several: bool, guard: str, people: int, nights: list[Any]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        live(World(f"duckdb:///{Path(folder) / 'world.duckdb'}", several, guard), people, nights)
