"""Runs of rows that are alike, and who looks for another group in them: what is spared changes nothing."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.cluster.questions import CloseGroups, CutOpen, OpenTable
from kanon_sql.flows.session import opened
from kanon_sql.observer import Observer
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench import group_answers
from kanon_sql.workbench.coding import build_coding
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.workbench import Workbench
from tests.cluster.people import job, load, people

K = 3


def _all(answers: GroupAnswers, table: Relation) -> list[tuple[int, ...]]:
    found = answers.bench.backend.fetch(Statement("test", f"select * from {answers.dialect.relation(table)}"))
    return sorted(tuple(int(value) for value in row) for row in found)


def test_rows_that_are_alike_are_sorted_as_one(engine_url: str, tmp_path: Path) -> None:
    few = people(40, seed=3)
    load(engine_url, [row for place, row in enumerate(few) for _ in range(1 + place % 7)])
    asked = job(engine_url, "mondrian", K, base=tmp_path)
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), K)
        assert answers.coded.contiguous and bench.combinations * group_answers.REPEATED <= answers.coded.count
        for salt in range(4):
            sorted_once = _all(answers, answers.sort_runs(7, salt))
            assert GroupTable.COMBINATIONS in answers.tables
            coded, sort_runs = answers.coded, statements.cluster.moving.sort_runs
            plainly = answers.make(GroupTable.RUNS, sort_runs, coded.rows, coded.sizes, coded.boxes, 7, str(salt))
            assert sorted_once == _all(answers, plainly)
        assert len({block for _, block in sorted_once}) > 10


def test_rows_without_anything_to_gain_need_not_look(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(300, seed=5))
    asked = job(duckdb_url, "mondrian", K, base=tmp_path)
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), K)
        answers.answer(OpenTable(strictly=True))
        while answers.answer(CutOpen(3 * K, K)).open:
            pass
        answers.answer(CloseGroups())
        assert answers.measure().small == 0
        runs, tables = answers.sort_runs(40, 1), answers.tables
        found = [
            _all(
                answers,
                answers.make(
                    GroupTable.CANDIDATES,
                    statements.cluster.moving.candidates,
                    tables[GroupTable.ROW_CONTEXT],
                    runs,
                    tables[GroupTable.BOXES],
                    answers.coded.boxes,
                    k=K,
                    heat=0,
                    penalty=1000,
                    plateau=plateau,
                    most=3,
                    small=small,
                ),
            )
            for plateau in (False, True)
            for small in (False, True)
        ]
    assert found[0] and found[0] == found[1] and found[2] and found[2] == found[3]
