"""Groups under privacy models beyond k: mended, cut and moved with the models in the search, and judged by a program that shares nothing with it."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import pytest

import kanon_sql
from kanon_sql.errors import NoSolution
from kanon_sql.observer import Observer
from kanon_sql.sql import statements
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.dialects.duckdb import DuckDBDialect
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench import group_privacy
from kanon_sql.workbench.group_answers import GroupAnswers
from tests.cluster.people import job, load, people, released

FEW = {"rounds": 4}
CLASS = "age, income, city, job, illness"


def entropy(values: Counter[object]) -> float:
    rows = sum(values.values())
    return -sum(n / rows * math.log(n / rows) for n in values.values())


def distance(values: Counter[object], table: Counter[object]) -> float:
    rows, whole = sum(values.values()), sum(table.values())
    return sum(abs(values[value] / rows - n / whole) for value, n in table.items()) / 2


MODELS: dict[str, tuple[dict[str, Any], Callable[[Counter[object], Counter[object]], bool]]] = {
    "distinct": ({"l_diversity": {"illness": {"kind": "distinct", "l": 3}}}, lambda values, _: len(values) >= 3),
    "entropy": (
        {"l_diversity": {"illness": {"kind": "entropy", "l": 2.5}}},
        lambda values, _: entropy(values) >= math.log(2.5) - 1e-9,
    ),
    "closeness": ({"t_closeness": {"illness": 0.4}}, lambda values, table: distance(values, table) <= 0.4 + 1e-9),
    "share": (
        {"alpha": {"illness": 0.5}},
        lambda values, _: max(values.values()) <= 0.5 * sum(values.values()) + 1e-9,
    ),
}


def uneven(rows: int = 160, seed: int = 1) -> list[tuple[object, ...]]:
    """People among whom neighbours often share an illness."""
    return [
        (age, income, city, work, "flu" if age < 35 and number % 3 else illness, note)
        for number, (age, income, city, work, illness, note) in enumerate(
            (int(str(row[0])), *row[1:]) for row in people(rows, seed)
        )
    ]


@pytest.mark.parametrize(
    ("algorithm", "model"),
    [("mondrian", "distinct"), ("bottom-up", "entropy"), ("bottom-up", "closeness"), ("anneal", "share")],
)
def test_every_class_satisfies_the_model(duckdb_url: str, algorithm: str, model: str, tmp_path: Path) -> None:
    privacy, holds = MODELS[model]
    load(duckdb_url, uneven())
    search = FEW if algorithm == "anneal" else {}
    kanon_sql.run(job(duckdb_url, algorithm, base=tmp_path, search=search, privacy=privacy))
    classes: defaultdict[tuple[object, ...], Counter[object]] = defaultdict(Counter)
    for *quasi, illness in released(duckdb_url, CLASS):
        classes[tuple(quasi)][illness] += 1
    table = sum(classes.values(), Counter())
    assert sum(table.values()) == 160
    assert all(sum(values.values()) >= 4 and holds(values, table) for values in classes.values())


@pytest.mark.parametrize(("algorithm", "model"), [("mondrian", "closeness"), ("bottom-up", "distinct")])
def test_it_loses_less_than_mergers_alone(
    duckdb_url: str, algorithm: str, model: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(duckdb_url, uneven())
    planned = job(duckdb_url, algorithm, base=tmp_path, privacy=MODELS[model][0])
    mended = kanon_sql.plan(planned).utility["ncp"]
    monkeypatch.setattr("kanon_sql.flows.groups.repair", lambda answers, shape, _: group_privacy.merge(answers, shape))
    assert mended < kanon_sql.plan(planned).utility["ncp"]


def test_an_operation_is_allowed_where_both_groups_satisfy_the_model(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every operation that is tried, against a count of the two groups row by row."""
    load(duckdb_url, uneven())
    tried = Counter[bool]()
    allow = group_privacy.GroupModels.allowed_operations

    def watched(models: group_privacy.GroupModels, operations: Relation, partly: bool = False) -> Relation:
        allowed = allow(models, operations, partly)
        answers = models.answers
        groups: defaultdict[int, set[int]] = defaultdict(set)
        for rid, g in rows_of(answers, answers.assignment, "rid, g"):
            groups[g].add(rid)
        value = dict(rows_of(answers, answers.coded.units, "rid, s0"))
        kept = {place for (place,) in rows_of(answers, allowed, "place")}
        for place, rid, rid2, g, g2 in rows_of(answers, operations, "place, rid, rid2, g, g2"):
            back = {rid2} if rid2 else set()
            after = [groups[g] - {rid} | back, groups[g2] - back | {rid}]
            good = [len(rows) >= 4 and len({value[row] for row in rows}) >= 3 for rows in after]
            if all(good) or not partly:
                assert (place in kept) == all(good)
            elif place in kept:
                assert good[1]
            tried[place in kept] += 1
        return allowed

    monkeypatch.setattr(group_privacy.GroupModels, "allowed_operations", watched)
    kanon_sql.plan(job(duckdb_url, "bottom-up", base=tmp_path, privacy=MODELS["distinct"][0]))
    assert tried[True] > 20
    assert tried[False] > 20


def rows_of(answers: GroupAnswers, table: Relation, columns: str) -> list[tuple[int, ...]]:
    text = f"select {columns} from {answers.dialect.relation(table)}"
    return [tuple(map(int, row)) for row in answers.bench.backend.fetch(Statement("test", text))]


def test_a_cut_is_refused_where_a_side_would_violate(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(duckdb_url, uneven(400))
    seen = Counter[bool]()
    allow = group_privacy.GroupModels.allowed_sides

    def watched(models: group_privacy.GroupModels, sides: Relation, columns: list[str]) -> Relation:
        allowed = allow(models, sides, columns)
        answers = models.answers
        value = dict(rows_of(answers, answers.coded.units, "rid, s0"))
        held: defaultdict[int, list[int]] = defaultdict(list)
        before = rows_of(answers, sides, "rid, side")
        for rid, side in before:
            held[side].append(value[rid])
        after = dict(rows_of(answers, allowed, "rid, side"))
        assert len(after) == len(before)
        for rid, side in before:
            both = [held[side], held[side ^ 1]]
            good = side > 0 and all(len(values) >= 4 and len(set(values)) >= 3 for values in both)
            assert after[rid] == (side if good or side < 0 else -(side // 2))
            seen[good] += 1
        return allowed

    monkeypatch.setattr(group_privacy.GroupModels, "allowed_sides", watched)
    monkeypatch.setattr(group_privacy, "MENDING_ROUNDS", 0)
    kanon_sql.plan(job(duckdb_url, "bottom-up", base=tmp_path, privacy=MODELS["distinct"][0]))
    assert seen[True]
    assert seen[False]


@pytest.mark.parametrize("algorithm", ["mondrian", "bottom-up"])
def test_the_same_groups_on_both_roads_and_both_engines(
    postgres_url: str, duckdb_url: str, algorithm: str, tmp_path: Path
) -> None:
    privacy = MODELS["distinct"][0]
    found = []
    for url in (postgres_url, duckdb_url):
        load(url, uneven(90, seed=2))
    for url, how in ((postgres_url, "always"), (postgres_url, "never"), (duckdb_url, "auto")):
        observer = Observer()
        made = job(url, algorithm, base=tmp_path, search={"embedded": how}, privacy=privacy)
        kanon_sql.run(made, observer, rebase=None if how != "never" else "searched on the other road")
        labels = {entry.label for entry in observer.statements}
        assert "cluster/mending/mending_operations" in labels
        found.append(Counter(tuple(map(str, row)) for row in released(url, f"{CLASS}, note")))
    assert found[0] == found[1] == found[2]


def test_persons_are_counted_while_rows_move(duckdb_url: str, tmp_path: Path) -> None:
    rows = [(*row[:5], number // 2) for number, row in enumerate(sorted(uneven(120), key=str))]
    load(duckdb_url, rows)
    columns = {"note": {"role": "identifier"}}
    privacy = MODELS["distinct"][0]
    made = job(duckdb_url, "bottom-up", base=tmp_path, columns=columns, source={"person": "note"}, privacy=privacy)
    result = kanon_sql.run(made)
    assert result.plan.k >= 4
    by_class: defaultdict[object, set[object]] = defaultdict(set)
    for *quasi, illness in released(duckdb_url, CLASS):
        by_class[tuple(quasi)].add(illness)
    assert min(map(len, by_class.values())) >= 3


def test_groups_that_propose_one_another_merge_in_the_end() -> None:
    """Whichever groups propose whichever, some salt carries a merger out."""
    dialect = DuckDBDialect()
    connection = duckdb.connect()
    table, operations, violating = (Relation((name,)) for name in ("made", "operations", "violating"))
    groups = [3994, 4017, 2282, 2351, 4016]
    for proposals in itertools.product(groups, repeat=2):
        if proposals[0] == proposals[1]:
            continue
        connection.execute("create or replace table operations (g bigint, g2 bigint, delta bigint, place bigint)")
        connection.executemany("insert into operations values (?, ?, 0, 1)", [proposals, proposals[::-1]])
        connection.execute("create or replace table violating (key0 bigint)")
        connection.executemany("insert into violating values (?)", [(g,) for g in groups])
        done = 0
        for salt in range(6, 26):
            made = statements.cluster.merging.star_mergers(dialect, table, operations, violating, salt)
            connection.execute("drop table if exists made")
            connection.execute(made.sql)
            found = connection.execute("select count(*) from made").fetchone()
            assert found is not None
            assert found[0] <= 1  # never both at once
            done += found[0]
        assert done


def test_what_no_groups_satisfy_is_said_before_they_are_searched(engine_url: str, tmp_path: Path) -> None:
    """The whole table is the most that groups can merge to."""
    load(engine_url, [(*row[:4], "flu", row[5]) for row in people(60)])
    asked = {"l_diversity": {"illness": {"kind": "entropy", "l": 2}}}
    steps: list[str] = []
    with pytest.raises(NoSolution, match="the whole table as one group does not satisfy the privacy models"):
        kanon_sql.plan(job(engine_url, "auto", 4, base=tmp_path, privacy=asked), Observer(step=steps.append))
    assert "searching (auto)" in steps and "checking the groups" not in steps
