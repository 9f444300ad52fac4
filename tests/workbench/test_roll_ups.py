"""What a roll-up answers is what the base answers, and it is used."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.flows.lattice import set_up
from kanon_sql.observer import Observer
from kanon_sql.search.questions import CheckNodes, MeasureNodes, Narrow
from kanon_sql.workbench import roll_ups
from kanon_sql.workbench.workbench import Workbench
from tests.support import job_of, make_table

COLUMNS = {
    "a": {"role": "quasi", "levels": [2, 4, "*"]},
    "b": {"role": "quasi", "levels": [3, "*"]},
    "c": {"role": "quasi", "levels": ["*"]},
}


def test_rolled_up_checks_equal_checks_of_the_base(engine_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = [(i % 7 if i % 11 else None, (i * i) % 9, "xyz"[i % 3]) for i in range(300)]
    make_table(engine_url, "people", ["a integer", "b integer", "c varchar(5)"], rows)
    job = job_of(engine_url, "people", COLUMNS, k=4, privacy={"suppression": 0.05})
    backend = open_backend(engine_url, Path.cwd(), read_only=False)
    try:
        with Workbench(backend, job, "rollups") as bench:
            bench.prepare()
            nodes = tuple(itertools.product(range(1, 4), range(1, 3), range(2)))
            plain = set_up(bench, Observer()).answers
            expected = [plain.answer(CheckNodes(nodes)), plain.answer(MeasureNodes(nodes))]
            assert len(plain.roll_ups.known) == 1
            monkeypatch.setattr(roll_ups, "LARGE", 1)
            monkeypatch.setattr(roll_ups, "WORTH_MAKING", 1.0)
            rolled = set_up(bench, Observer()).answers
            assert [rolled.answer(CheckNodes(nodes)), rolled.answer(MeasureNodes(nodes))] == expected
            assert len(rolled.roll_ups.known) > 1
            monkeypatch.setattr(roll_ups, "LARGE_LATTICE", 1)
            packed = set_up(bench, Observer()).answers
            assert [packed.answer(CheckNodes(nodes)), packed.answer(MeasureNodes(nodes))] == expected
            assert packed.answer(MeasureNodes(nodes, remembered=True)) == expected[1]
            assert all(roll_up.words is not None for roll_up in packed.roll_ups.known[:-1])
            monkeypatch.setattr(roll_ups, "LARGE_LATTICE", len(nodes) * 100)
            narrowed = set_up(bench, Observer()).answers
            assert narrowed.answer(Narrow((2, 1, 0))) == []
            above = tuple(node for node in nodes if node[0] >= 2)
            assert narrowed.answer(CheckNodes(above)) == [v for v in expected[0] if v.node[0] >= 2]
            assert narrowed.roll_ups.for_node((2, 1, 0)).table != bench.names.base
            assert narrowed.roll_ups.for_node((1, 1, 0)).table == bench.names.base
    finally:
        backend.close()
