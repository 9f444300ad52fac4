"""The small classes of measured nodes: the loss is that of a plain measurement, and what they say of other nodes is what a plain count says."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.flows.lattice import set_up
from kanon_sql.model.lattice import Node
from kanon_sql.observer import Observer
from kanon_sql.search.questions import BoundK, KBound, MeasureNodes
from kanon_sql.workbench import small_classes
from kanon_sql.workbench.workbench import Workbench
from tests.support import job_of, make_table

COLUMNS: dict[str, Any] = {
    "who": {"role": "identifier"},
    "a": {"role": "quasi", "levels": [2, 4, "*"]},
    "b": {"role": "quasi", "levels": [3, "*"]},
    "c": {"role": "quasi", "levels": ["*"]},
    "ill": {"role": "sensitive"},
}
ROWS = [(i // 2, i % 7 if i % 11 else None, (i * i) % 9, "xyz"[i % 3], "pqr"[i % 5 % 3]) for i in range(300)]
FIRST: tuple[Node, ...] = ((3, 0, 1), (2, 1, 1), (1, 1, 0), (3, 2, 0))
SECOND: tuple[Node, ...] = ((2, 0, 1), (3, 1, 0), (3, 2, 1))


def of_level(row: tuple[Any, ...], node: Node) -> tuple[Any, ...]:
    """A row's class at a node, by the levels as they are defined."""
    _, a, b, c, _ = row
    first = "*" if node[0] == 3 else None if a is None else a // (1, 2, 4)[node[0]]
    second = "*" if node[1] == 2 else b // (1, 3)[node[1]]
    return first, second, "*" if node[2] == 1 else c


def rows_in_small_classes(bound: KBound, by_person: bool) -> int:
    """A plain count: rows that are in a class of at most so many rows (or persons) at some generalization."""
    small: set[int] = set()
    for general in bound.generalizations:
        sizes: Counter[tuple[Any, ...]] = Counter()
        members: dict[tuple[Any, ...], set[int]] = defaultdict(set)
        for row in ROWS:
            sizes[of_level(row, general)] += 1
            members[of_level(row, general)].add(row[0])
        for place, row in enumerate(ROWS):
            name = of_level(row, general)
            if (len(members[name]) if by_person else sizes[name]) <= bound.most:
                small.add(place)
    return len(small)


@pytest.mark.parametrize("with_persons", [False, True])
def test_small_classes_say_what_a_plain_count_says(
    duckdb_url: str, with_persons: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_table(duckdb_url, "people", ["who integer", "a integer", "b integer", "c varchar(5)", "ill varchar(5)"], ROWS)
    job = job_of(
        duckdb_url,
        "people",
        COLUMNS,
        k=2,
        source={"person": "who"} if with_persons else {},
        privacy={"suppression": 0.1, "l_diversity": {"ill": {"l": 2}}},
        utility={"metric": "glm"},
    )
    backend = open_backend(duckdb_url, Path.cwd(), read_only=False)
    try:
        with Workbench(backend, job, "small") as bench:
            bench.prepare()
            assert bench.counts_persons == with_persons
            plain, answers = (set_up(bench, Observer()).answers for _ in range(2))
            measured = {}
            for nodes in (FIRST, SECOND):
                expected = plain.answer(MeasureNodes(nodes))
                found = answers.answer(MeasureNodes(nodes, remembered=True))
                assert [one.loss for one in found] == pytest.approx([one.loss for one in expected])
                assert [(one.k, one.suppressed) for one in found] == [(one.k, one.suppressed) for one in expected]
                measured |= {one.node: one.k for one in found}
            assert any(one.suppressed for one in found)
            bounds = [
                KBound(node, most, generalizations)
                for node, generalizations in (
                    ((0, 0, 0), FIRST),
                    ((2, 0, 0), ((3, 0, 1), (2, 1, 1))),
                    ((1, 1, 0), ((2, 1, 1), (3, 1, 0))),
                )
                for most in range(1, min(measured[general] for general in generalizations))
            ]
            assert len(bounds) > 5
            verdicts = answers.answer(BoundK(tuple(bounds)))
            counts = [rows_in_small_classes(bound, with_persons) for bound in bounds]
            assert [verdict.suppressed for verdict in verdicts] == counts
            assert len(set(counts)) > 2
            assert [verdict.passes for verdict in verdicts] == [count <= bench.budget for count in counts]
            assert [(verdict.node, verdict.k) for verdict in verdicts] == [(bound.node, bound.most) for bound in bounds]

            monkeypatch.setattr(small_classes, "MOST_ROWS", 0)
            late = ((1, 0, 1),)
            assert answers.answer(MeasureNodes(late, remembered=True)) == plain.answer(MeasureNodes(late))
            assert answers.answer(BoundK((KBound((0, 0, 0), 3, late),)))[0].passes
    finally:
        backend.close()
