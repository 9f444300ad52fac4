"""The attack check finds links that are too good, and classes that the search's own minimality narrows."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from tests.support import execute, job_of, make_table

COLUMNS = ["id integer", "age integer", "town varchar"]
ROLES: dict[str, Any] = {
    "id": {"role": "identifier"},
    "age": {"role": "quasi", "levels": [10, "*"]},
    "town": {"role": "quasi", "groups": [{"north": ["a", "b"], "south": ["c", "d"]}, "*"]},
}


def rows_of(counts: dict[tuple[int, str], int]) -> list[tuple[Any, ...]]:
    cells = itertools.chain.from_iterable([cell] * count for cell, count in counts.items())
    return [(number, *cell) for number, cell in enumerate(cells)]


def test_a_release_of_the_job_holds(engine_url: str, tmp_path: Path) -> None:
    make_table(
        engine_url, "people", COLUMNS, rows_of({(21, "a"): 5, (22, "b"): 5, (35, "c"): 2, (36, "d"): 3, (70, "d"): 1})
    )
    job = job_of(engine_url, "people", ROLES, k=3, base=tmp_path, privacy={"k": 3, "suppression": 0.1})
    published = kanon_sql.run(job)
    result = kanon_sql.attack(job)
    assert result.passes
    assert result.node == published.plan.node
    assert (result.released_rows, result.source_rows_unlinked) == (15, 1)
    assert result.fewest_candidates >= 3


def test_a_tampered_release_is_found(engine_url: str, tmp_path: Path) -> None:
    make_table(engine_url, "people", COLUMNS, rows_of({(21, "a"): 5, (22, "b"): 5, (35, "c"): 5, (36, "d"): 3}))
    job = job_of(engine_url, "people", ROLES, k=3, base=tmp_path)
    execute(
        engine_url,
        "create table leak as select cast(age as varchar) as age, 'north' as town from people where age < 30",
    )
    execute(engine_url, "insert into leak values ('36', 'south')")
    result = kanon_sql.attack(job, "leak")
    assert not result.passes
    assert result.source_rows_below_k == 3  # three source rows share one candidate
    execute(engine_url, "insert into leak values ('36', 'north')")
    stranger = kanon_sql.attack(job, "leak")
    assert stranger.stranger_rows == 1
    assert not stranger.passes


def minimal_rows(counts: list[int], labels: list[int], k: int, slack: int) -> int:
    """By enumeration: rows of classes that hold a violation in every way to fill the labels that has more than `slack` violating rows."""

    def fillings(rows: int, into: int) -> list[int]:
        """The violating rows of every way to put rows under labels."""
        ways = [w for w in itertools.product(range(rows + 1), repeat=into) if sum(w) == rows]
        return sorted({sum(part for part in way if 0 < part < k) for way in ways})

    worlds = list(itertools.product(*(fillings(n, h) for n, h in zip(counts, labels, strict=True))))
    failing = [world for world in worlds if sum(world) > slack]
    return sum(n for i, n in enumerate(counts) if failing and all(world[i] > 0 for world in failing))


@pytest.mark.parametrize(
    "counts",
    [
        {
            (21, "a"): 2,
            (22, "b"): 4,
            (35, "c"): 4,
            (36, "c"): 3,
        },  # only the north can have failed: the south has one town
        {(21, "a"): 2, (22, "b"): 4, (35, "c"): 4, (36, "d"): 2},  # either may have failed: nothing is known
    ],
)
def test_minimality_narrows_the_only_class_that_can_have_failed(
    engine_url: str, tmp_path: Path, counts: dict[tuple[int, str], int]
) -> None:
    make_table(engine_url, "people", COLUMNS, rows_of(counts))
    roles = ROLES | {"age": {"role": "quasi", "levels": ["*"], "min_level": 1}}
    job = job_of(engine_url, "people", roles, k=3, base=tmp_path)
    assert kanon_sql.run(job).plan.node == {"age": 1, "town": 1}
    result = kanon_sql.attack(job)
    sizes: dict[str, int] = {}
    for (_, town), count in counts.items():
        sizes["north" if town in "ab" else "south"] = sizes.get("north" if town in "ab" else "south", 0) + count
    towns = {town for _, town in counts}
    labels = {"north": len(towns & {"a", "b"}), "south": len(towns & {"c", "d"})}
    expected = minimal_rows(list(sizes.values()), [labels[name] for name in sizes], 3, 0)
    assert result.narrowed_rows == expected
    assert bool(expected) == any("margin" in line for line in result.advice)


def test_labels_of_one_value_are_counted(engine_url: str, tmp_path: Path) -> None:
    make_table(engine_url, "people", COLUMNS, rows_of({(21, "a"): 3, (35, "a"): 2, (36, "a"): 2}))
    job = job_of(engine_url, "people", ROLES, k=3, base=tmp_path)
    execute(
        engine_url,
        "create table released as select case when age < 30 then '20-29' else '30-39' end as age, town from people",
    )
    assert kanon_sql.attack(job, "released").single_value_rows == 3  # 20-29 is 21, and nothing else
