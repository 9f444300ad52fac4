"""Each figure that SQL computes equals a plain Python reference on random tables, NULLs included, on both engines."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.evaluate.score import score_release
from kanon_sql.model.lattice import is_generalization
from kanon_sql.model.measures import MEASURES, searched_measures
from kanon_sql.release.recoding import GlobalRecoding
from kanon_sql.search.questions import CheckNodes, ScoreNodes
from kanon_sql.workbench.answers import Answers
from kanon_sql.workbench.objectives import build_objective, build_weights, objective_of
from kanon_sql.workbench.privacy_shape import build_shape
from kanon_sql.workbench.rules import rules_at
from kanon_sql.workbench.workbench import Workbench
from tests.metrics.reference import Cover, World, covers_at, worlds
from tests.metrics.tables import COLUMNS, DEFINED, LEVELS, NUMERIC, job_for, write

EXAMPLES = settings(
    max_examples=12,
    deadline=None,
    # A failing table is small enough as it is; shrinking it through an engine takes minutes.
    phases=[Phase.explicit, Phase.reuse, Phase.generate],
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)


@pytest.fixture(scope="module")
def backend(module_engine_url: str) -> Iterator[Backend]:
    opened = open_backend(module_engine_url, Path.cwd(), read_only=False)
    yield opened
    opened.close()


def approx(value: float) -> Any:
    return pytest.approx(value, rel=1e-9, abs=1e-9)


def by_objective(world: World, metric: str, node: tuple[int, ...]) -> float:
    """The loss a search minimises."""
    measured = world.released(node)
    if metric == "rv":
        return 1 - measured.rv_of_node(node)
    if metric == "height":
        return sum(node)
    return measured.measures()["weighted_ncp" if metric == "ncp" else metric]


@EXAMPLES
@given(world=worlds())
def test_the_loss_a_search_minimises(backend: Backend, world: World) -> None:
    write(backend, "t", DEFINED, world.rows)
    with Workbench(backend, job_for(world, "duckdb:///:memory:", "classification"), "1") as bench:
        bench.prepare()
        star = tuple(len(LEVELS[c]) - 1 for c in COLUMNS)
        nodes = tuple(dict.fromkeys([*world.nodes, star, tuple(0 for _ in star)]))
        weights = build_weights(bench)
        for metric in searched_measures():
            flags = MEASURES[metric]
            built = objective_of(bench, weights, metric)
            objective = built.objective
            assert (objective.name, objective.separable) == (metric, flags.separable)
            answers = Answers(bench, objective, built.cells, build_shape(bench, built.sums, built.columns).shape)
            for node, verdict in zip(nodes, answers.answer(ScoreNodes(nodes)), strict=True):
                kept = len(world.released(node).covers)
                assert verdict.suppressed == len(world.rows) - kept
                if kept == 0:
                    continue
                assert verdict.loss == approx(by_objective(world, metric, node)), metric
                if verdict.suppressed <= world.budget:
                    assert objective.bound(node) <= verdict.loss + 1e-9 * max(1, verdict.loss), metric
                if objective.separable and verdict.suppressed == 0:
                    assert objective.bound(node) == approx(verdict.loss), metric
            floor = getattr(objective, "floor", None)
            verdicts = [answers.memo[node] for node in nodes]
            for special, general in itertools.product(verdicts, repeat=2):
                above = is_generalization(general.node, special.node) and general.suppressed <= world.budget
                if floor is not None and above and general.kept_classes:
                    assert floor(special) <= objective.loss(general) * (1 + 1e-9) + 1e-9, metric
                if above and objective.monotone and special.suppressed == general.suppressed == 0:
                    assert objective.loss(special) <= objective.loss(general) + 1e-9, metric


@EXAMPLES
@given(world=worlds())
def test_the_measures_of_a_planned_node(backend: Backend, world: World) -> None:
    write(backend, "t", DEFINED, world.rows)
    with Workbench(backend, job_for(world, "duckdb:///:memory:"), "1") as bench:
        bench.prepare()
        built = build_objective(bench)
        answers = Answers(bench, built.objective, built.cells, build_shape(bench, built.sums, built.columns).shape)
        for node in world.nodes:
            measured = world.released(node)
            if not measured.covers:
                continue
            (verdict,) = answers.answer(ScoreNodes((node,)))
            expected = measured.measures() | {"rv": measured.rv_of_node(node), "height": sum(node)}
            assert built.utility(verdict) == {name: approx(value) for name, value in expected.items()}
            for rule in rules_at(bench, node):
                i = COLUMNS.index(str(rule["column"]))
                covers = list(covers_at([row[i] for row in world.rows], i, node[i]).values())
                alone = [r for r in bench.attributes[i].rules if str(r) == rule["rule"]]
                given_rules = world.rules[COLUMNS[i]][bench.attributes[i].rules.index(alone[0])]
                holds = World(**{**world.__dict__, "rules": {COLUMNS[i]: [given_rules]}, "base": 0.0}).released(node)
                assert rule["holds"] == (holds.rules_factor(i, covers) == 1)


@EXAMPLES
@given(world=worlds())
def test_a_published_node_scores_as_it_was_planned(backend: Backend, world: World) -> None:
    write(backend, "t", DEFINED, world.rows)
    with Workbench(backend, job_for(world, "duckdb:///:memory:"), "1") as bench:
        bench.prepare()
        built = build_objective(bench)
        shape = build_shape(bench, built.sums, built.columns).shape
        answers = Answers(bench, built.objective, built.cells, shape)
        for place, node in enumerate(dict.fromkeys(world.nodes)):
            (verdict,) = answers.answer(CheckNodes((node,)))
            measured = world.released(node)
            if not measured.covers:
                continue
            release = bench.names.work(f"release_{place}")
            bench.made.append(("table", release))
            if verdict.suppressed:
                bench.backend.drop_work([("table", bench.names.work("violating"))])
                bench.made = [made for made in bench.made if made != ("table", bench.names.work("violating"))]
            GlobalRecoding(node, shape, verdict.suppressed).stage(bench, release)
            score = score_release(bench, release)
            bench.backend.drop_work([("table", bench.names.work("published"))])
            assert score.measures["rv_by_rows"] == approx(measured.rv_by_rows())
            assert {name: score.measures[name] for name in measured.measures()} == {
                name: approx(value) for name, value in measured.measures().items()
            }
            assert score.node is not None
            assert score.measures["suppressed"] == measured.suppressed
            # Two levels may publish the very same labels: then the lower one is taken.
            assert all(found <= level for found, level in zip(score.node, node, strict=True))
            if score.node == node:
                assert score.measures["rv"] == approx(measured.rv_of_node(node))
                assert score.measures["height"] == sum(node)


def label_of(i: int, values: set[Any]) -> tuple[str | None, Cover]:
    """What local recoding publishes for a group's values, written in Python."""
    known = sorted(v for v in values if v is not None)
    null = " or NULL" if None in values else ""
    if not known:
        return None, frozenset({None})
    if COLUMNS[i] in NUMERIC:
        inside = f"[{known[0]}-{known[-1]}]" if known[0] != known[-1] else str(known[0])
        return inside + null, frozenset()
    if len(known) == 1 and not null:
        return known[0], frozenset(values)
    return "{" + ", ".join(v.replace("\\", "\\\\").replace(",", "\\c") for v in known) + "}" + null, frozenset(values)


@EXAMPLES
@given(world=worlds(), data=st.data())
def test_a_local_recoding(backend: Backend, world: World, data: st.DataObject) -> None:
    world = World(**{**world.__dict__, "rows": [_two_places(row) for row in world.rows]})
    write(backend, "t", DEFINED, world.rows)
    groups = data.draw(st.lists(st.integers(-1, 2), min_size=len(world.rows), max_size=len(world.rows)))
    blanks = data.draw(st.sets(st.tuples(st.integers(0, 2), st.integers(0, len(COLUMNS) - 1)), max_size=3))
    labels: dict[tuple[int, int], tuple[str | None, Cover]] = {}
    for group in set(groups) - {-1}:
        for i in range(len(COLUMNS)):
            column = {row[i] for row in world.rows}
            values = {row[i] for row, g in zip(world.rows, groups, strict=True) if g == group}
            label, cover = label_of(i, values)
            if not cover:  # an interval covers what lies between its ends
                known = [v for v in values if v is not None]
                inside = {v for v in column if v is not None and min(known) <= v <= max(known)}
                cover = frozenset(inside | ({None} & values))
            labels[group, i] = ("*", frozenset(column)) if (group, i) in blanks else (label, cover)
    kept = [n for n, group in enumerate(groups) if group >= 0]
    if not kept:
        return
    width = range(len(COLUMNS))
    measured = world.measured(
        kept,
        [tuple(labels[groups[n], i][1] for i in width) for n in kept],
        [tuple((groups[n], i) in blanks for i in width) for n in kept],
        [tuple(labels[groups[n], i][0] for i in width) for n in kept],
    )
    rows = [(*(labels[groups[n], i][0] for i in width), world.rows[n][-1]) for n in kept]
    write(backend, "local_release", [f"{c} varchar(99)" for c in (*COLUMNS, "target")], rows)
    with Workbench(backend, job_for(world, "duckdb:///:memory:"), "1") as bench:
        bench.prepare_dictionaries()
        score = score_release(bench, backend.relation("local_release"))
    expected = measured.measures() | {"rv_by_rows": measured.rv_by_rows()}
    assert {name: score.measures[name] for name in expected} == {
        name: approx(value) for name, value in expected.items()
    }
    if score.recoding == "local":
        assert score.measures["rv"] == score.measures["rv_by_rows"]


def _two_places(row: tuple[Any, ...]) -> tuple[Any, ...]:
    from decimal import Decimal

    return (row[0], None if row[1] is None else row[1].quantize(Decimal("0.01")), *row[2:])
