"""Runs of rows that are alike, and who looks for another group in them: what is spared changes nothing."""

from __future__ import annotations

from pathlib import Path

from kanon_sql.cluster.questions import CloseGroups, CutOpen, OpenGroups, OpenTable, Sweep
from kanon_sql.cluster.settings import REPEATED
from kanon_sql.flows.session import opened
from kanon_sql.observer import Observer
from kanon_sql.sql import statements
from kanon_sql.sql.boxes import EVERYTHING
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
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
        assert answers.coded.contiguous and bench.combinations * REPEATED <= answers.coded.count
        for salt in range(4):
            sorted_once = _all(answers, answers.sort_runs(7, salt))
            assert GroupTable.COMBINATIONS in answers.tables
            coded, sort_runs = answers.coded, statements.cluster.moving.sort_runs
            plainly = answers.make(
                GroupTable.RUNS, sort_runs, coded.rows, coded.sizes, coded.boxes, 7, str(salt), coded.count
            )
            assert [(rid, block) for rid, _, block in sorted_once] == _all(answers, plainly)
            kinds = {rid: values for rid, *values in _all(answers, coded.rows)}
            assert all(kind <= rid and kinds[kind] == kinds[rid] for rid, kind, _ in sorted_once)
            assert len({kind for _, kind, _ in sorted_once}) == bench.combinations
        assert len({block for _, _, block in sorted_once}) > 10


def test_of_rows_of_a_group_that_are_alike_one_looks_for_all(engine_url: str, tmp_path: Path) -> None:
    few = people(40, seed=3)
    load(engine_url, [row for place, row in enumerate(few) for _ in range(1 + place % 7)])
    asked = job(engine_url, "mondrian", K, base=tmp_path)
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), K)
        dialect, table = answers.dialect, Relation((asked.source.work_schema, "t_grouped"))
        grouped = f"select rid, {dialect.quotient('rid', '4')} % 9 as g from {dialect.relation(answers.coded.rows)}"
        bench.make_table(table, Statement("test", f"{dialect.create_work_table(dialect.relation(table))} as {grouped}"))
        answers.tables[GroupTable.ASSIGNMENT] = table
        answers.measure()
        runs, tables = answers.sort_runs(12, 1), answers.tables

        def looked(alike: bool) -> list[tuple[int, ...]]:
            made = answers.make(
                GroupTable.CANDIDATES,
                statements.cluster.moving.candidates,
                tables[GroupTable.ROW_CONTEXT],
                runs,
                tables[GroupTable.BOXES],
                answers.coded.boxes,
                k=K,
                heat=0,
                penalty=1000,
                plateau=True,
                most=3,
                small=False,
                last=answers.last_group,
                alike=alike,
            )
            return _all(answers, made)

        kind_of = {rid: kind for rid, kind, _ in _all(answers, runs)}
        firsts: dict[tuple[int, int], int] = {}
        for rid, group in sorted(_all(answers, answers.assignment)):
            firsts.setdefault((group, kind_of[rid]), rid)
        every, one = looked(alike=False), looked(alike=True)
    assert one == [entry for entry in every if entry[0] in firsts.values()]
    assert one and len(one) < len(every)


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
                    last=answers.last_group,
                ),
            )
            for plateau in (False, True)
            for small in (False, True)
        ]
    assert found[0] and found[0] == found[1] and found[2] and found[2] == found[3]


def test_moves_are_the_same_where_no_group_was_to_be_cut_before(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(300, seed=5))
    asked = job(duckdb_url, "mondrian", K, base=tmp_path)
    found = []
    for looked in (False, True):
        with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
            bench.prepare()
            answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), K)
            answers.answer(OpenTable())
            while answers.answer(CutOpen(4 * K, K)).open:
                pass
            answers.answer(CloseGroups())
            answers.measure()
            if looked:
                assert answers.answer(OpenGroups(1_000)).open == 0
            found.append(answers.answer(Sweep(40, 1)))
    assert found[0].done > 1 and found[0] == found[1]


def test_a_row_keeps_the_groups_that_cost_least(engine_url: str, tmp_path: Path) -> None:
    """Against all pairs of a row and a group of its run, put in order here: the groups kept, and what each loses with the row in it."""
    k, penalty, heat, most = 4, 300_000, 90_000, 2
    load(engine_url, people(120, seed=3))
    asked = job(engine_url, "mondrian", k, base=tmp_path)
    with opened(asked, Observer(), read_only=True, run="t") as backend, Workbench(backend, asked, "t") as bench:
        bench.prepare()
        answers = GroupAnswers(bench, build_coding(bench, build_weights(bench)), k)
        boxes, dialect, table = answers.coded.boxes, answers.dialect, Relation((asked.source.work_schema, "t_grouped"))
        # Groups under k rows, of k rows and a large one.
        grouped = f"select rid, least(rid % 31, 20) as g from {dialect.relation(answers.coded.rows)}"
        bench.make_table(table, Statement("test", f"{dialect.create_work_table(dialect.relation(table))} as {grouped}"))
        answers.tables[GroupTable.ASSIGNMENT] = table
        answers.measure()
        runs, tables = answers.sort_runs(40, 1), answers.tables
        context, groups = tables[GroupTable.ROW_CONTEXT], tables[GroupTable.BOXES]
        pairs = backend.fetch(
            Statement(
                "test",
                f"select r.rid, r.g, r.n, r.loss, r.loss_without_row, box.g as g2, box.n as n2, box.loss as loss2, "
                f"{boxes.loss_joined('box', 'r')} as loss3 "
                f"from {dialect.relation(context)} as r cross join {dialect.relation(groups)} as box "
                f"where exists (select 1 from {dialect.relation(context)} as other "
                f"join {dialect.relation(runs)} as theirs on theirs.rid = other.rid "
                f"join {dialect.relation(runs)} as own on own.block = theirs.block where own.rid = r.rid and other.g = box.g)",
            )
        )
        for plateau in (False, True):
            candidates = statements.cluster.moving.candidates
            made = answers.make(
                GroupTable.CANDIDATES,
                candidates,
                context,
                runs,
                groups,
                boxes,
                k=k,
                heat=heat,
                penalty=penalty,
                plateau=plateau,
                most=most,
                small=True,
                last=answers.last_group,
            )
            expected: dict[int, list[tuple[int, ...]]] = {}
            for rid, g, n, loss, without, g2, n2, loss2, loss3 in ([int(value) for value in pair] for pair in pairs):
                saved, added = EVERYTHING if n < k else 2 * n * (loss - without), loss3 - loss2
                worth = n2 * added < saved or n2 < k
                may_leave = loss > without or n != k or (plateau and loss > 0)
                if g != g2 and may_leave and (worth or (plateau and n2 * added + loss3 - without < saved + heat)):
                    cost = n2 * added + (loss3 if plateau else 0) + (0 if n2 < k else penalty)
                    expected.setdefault(rid, []).append((cost, g2, n2, loss2, loss3))
            kept = [(rid, *group[1:]) for rid, found in expected.items() for group in sorted(found)[:most]]
            assert _all(answers, made) == sorted(kept)
            assert 0 < len(kept) < sum(map(len, expected.values()))
            assert {n2 < k for _, _, n2, _, _ in kept} == {False, True}
