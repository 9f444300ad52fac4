"""Whole jobs on Spark: the same plans, checks, measures, frontiers and releases as on the embedded engine.

Most tests share one prepared workbench per engine: a statement costs Spark a good part of a second whatever it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.config import Job, load_job
from kanon_sql.errors import JobError, VerificationFailed
from kanon_sql.flows import run as flow
from kanon_sql.flows.lattice import LatticeSearch, set_up
from kanon_sql.model.algorithms import LATTICE_SEARCHES
from kanon_sql.model.lattice import Node
from kanon_sql.model.measures import searched_measures
from kanon_sql.model.verdict import Verdict
from kanon_sql.observer import Observer
from kanon_sql.release.recoding import Chosen, GlobalRecoding
from kanon_sql.release.verify_models import measure_models
from kanon_sql.search.pareto import pareto
from kanon_sql.search.poka import poka
from kanon_sql.search.questions import Answer, BoundK, CheckNodes, MeasureNodes, Narrow, Question, ScoreNodes
from kanon_sql.sql import words
from kanon_sql.synthetic.census import census_sql
from kanon_sql.synthetic.job import demo_job
from kanon_sql.workbench import roll_ups
from kanon_sql.workbench.answers import drive
from kanon_sql.workbench.workbench import Workbench
from tests.pipeline.test_embedded_search import COLUMNS, people
from tests.support import all_nodes, execute, fetch, job_of

Said = dict[type[Question], dict[Node, Verdict]]
"""What an engine answers to each kind of question, node by node."""
UNGUARDED = {"guard": "never"}
"""The guard asks more statements than all of the rest; nightly/test_guard_on_spark.py has it."""
HIERARCHY = "flu;virus;*\ncold;virus;*\ngout;joints;*\n"
MODELS: list[dict[str, Any]] = [
    {"l_diversity": {"illness": {"l": 2}}},
    {"l_diversity": {"illness": {"l": 2, "kind": "entropy"}}},
    {"l_diversity": {"illness": {"l": 2, "kind": "recursive", "c": 3}}},
    {"t_closeness": {"illness": {"t": 0.4}}},
    {"t_closeness": {"illness": {"t": 0.4, "distance": "ordered", "order": ["cold", "flu", "gout"]}}},
    {"t_closeness": {"illness": {"t": 0.4, "distance": "hierarchical", "hierarchy": "illness.csv"}}},
]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("jobs")
    (directory / "illness.csv").write_text(HIERARCHY, encoding="utf-8")
    return directory


@pytest.fixture(scope="module")
def urls(module_duckdb_url: str, module_spark_url: str, home: Path) -> tuple[str, str]:
    """The two engines with the same rows in them."""
    people(module_duckdb_url)
    load(module_duckdb_url, module_spark_url, "people", home)
    return module_duckdb_url, module_spark_url


@pytest.fixture(scope="module")
def benches(urls: tuple[str, str], home: Path) -> Iterator[list[Workbench]]:
    """A prepared workbench of each engine."""
    with ExitStack() as stack:
        made = []
        for url in urls:
            backend = open_backend(url, home, read_only=True)
            stack.callback(backend.close)
            bench = stack.enter_context(Workbench(backend, job_on(url, home), "20260101t000000x0000"))
            bench.also_needs("illness")
            bench.also_needs("income")
            bench.prepare()
            made.append(bench)
        yield made


def load(duckdb_url: str, spark_url: str, table: str, directory: Path) -> None:
    """The rows of a DuckDB table as a table of Spark, by way of a Parquet file."""
    file = directory / f"{table}.parquet"
    execute(duckdb_url, f"copy {table} to '{file}' (format parquet)")
    execute(spark_url, f"create table {table} as select * from parquet.`{file}`")


def job_on(url: str, home: Path, **sections: Any) -> Job:
    search = {"embedded": "never"} | sections.pop("search", {})
    privacy = {"suppression": 0.03} | sections.pop("privacy", {})
    register = {"url": f"duckdb:///{home / 'register.duckdb'}"} if url.startswith("spark") else {}
    return job_of(
        url,
        "people",
        COLUMNS | {"income": {"role": "sensitive"}},
        k=4,
        base=home,
        search=search,
        privacy=privacy,
        register=register,
        **sections,
    )


def searches(benches: list[Workbench], home: Path, **sections: Any) -> list[LatticeSearch]:
    found = []
    for bench, url in zip(benches, ("duckdb:///x", "spark://local"), strict=True):
        bench.job = job_on(url, home, **sections)
        found.append(set_up(bench, Observer()))
    return found


def shown(verdicts: list[Any]) -> list[tuple[Any, ...]]:
    return [
        (v.node, v.passes, v.k, v.classes, v.kept_classes, v.suppressed, round(v.loss, 9), v.min_class)
        for v in verdicts
    ]


def test_both_have_the_same_levels(benches: list[Workbench]) -> None:
    one, other = benches
    assert (one.sizes, one.rows, one.combinations) == (other.sizes, other.rows, other.combinations)


@pytest.mark.parametrize("metric", searched_measures())
def test_every_metric_scores_alike(benches: list[Workbench], home: Path, metric: str) -> None:
    utility = {"metric": metric, "target": "income", "weights": "auto" if metric in ("rv", "ncp") else "given"}
    one, other = searches(benches, home, utility=utility)
    nodes = tuple(all_nodes(one.bench.lattice.top))[::5]
    assert shown(one.answers.answer(ScoreNodes(nodes))) == shown(other.answers.answer(ScoreNodes(nodes)))


def test_a_plan_tells_the_same_measures(benches: list[Workbench], home: Path) -> None:
    one, other = searches(benches, home, utility={"metric": "glm", "target": "income"})
    node = (1, 1, 1)
    told = [s.built.utility(s.answers.scored(s.answers.answer(ScoreNodes((node,))))[0]) for s in (one, other)]
    assert told[0] == pytest.approx(told[1])


@pytest.fixture(scope="module")
def answers(benches: list[Workbench], home: Path) -> list[Said]:
    """What each engine says of every node, asked once: all that a driver ever sees of it."""
    found = []
    for search in searches(benches, home):
        nodes = tuple(all_nodes(search.bench.lattice.top))
        scored, measured = (search.answers.answer(question(nodes)) for question in (ScoreNodes, MeasureNodes))
        verdicts = {ScoreNodes: scored, CheckNodes: scored, MeasureNodes: measured}
        found.append({question: dict(zip(nodes, said, strict=True)) for question, said in verdicts.items()})
    return found


def replayed(answers: Said) -> Callable[[Question], Answer]:
    """Answers a driver with what its engine said, as one that remembers no small classes."""

    def answer(question: Question) -> Answer:
        if isinstance(question, Narrow | BoundK):
            return []
        return [answers[type(question)][node] for node in question.nodes]

    return answer


def test_every_node_is_answered_alike(answers: list[Said]) -> None:
    one, other = answers
    for question in one:
        assert shown(list(one[question].values())) == shown(list(other[question].values()))


def test_codes_in_words_tell_the_same(
    benches: list[Workbench], home: Path, answers: list[Said], monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the base of a lattice too large to list is kept, here in words of a few bits, and rolled up from there."""
    monkeypatch.setattr(roll_ups, "LARGE_LATTICE", 1)
    monkeypatch.setattr(words, "KEY_BITS", 9)
    monkeypatch.setattr(benches[1], "sensitive", ())  # with sensitive columns no words are made
    _, search = searches(benches, home)
    nodes = tuple(all_nodes(search.bench.lattice.top))
    said = search.answers.answer(CheckNodes(nodes))
    packed = search.answers.roll_ups.for_node(search.bench.lattice.bottom).words
    assert packed is not None and len(packed.columns(search.bench.dialect)) > 1
    assert [(v.node, v.k, v.classes, v.suppressed) for v in said] == [
        (v.node, v.k, v.classes, v.suppressed) for v in answers[0][CheckNodes].values()
    ]
    search.answers.roll_ups._keep(search.answers.roll_ups._made((1, 0, 1), search.answers.roll_ups.known[0]))
    search.answers.memo.clear()
    above = tuple(node for node in nodes if node[0] >= 1 and node[2] >= 1)
    assert search.answers.roll_ups.for_node(above[0]).bottom == (1, 0, 1)
    assert search.answers.answer(CheckNodes(above)) == [verdict for verdict in said if verdict.node in above]


def test_a_search_in_the_engine_finds_the_same(benches: list[Workbench], home: Path) -> None:
    """With all that it asks of the engine on its way: checks, a narrowed base, scores."""
    nodes = []
    for search in searches(benches, home):
        driver = LATTICE_SEARCHES["best-first"].driver(search.bench.lattice, search.built.objective, search.settings)
        outcome = search.answers.run(driver)
        assert outcome.best is not None and outcome.exact
        nodes.append((outcome.best.node, outcome.best.k, outcome.best.suppressed, outcome.checks))
    assert nodes[0] == nodes[1]


@pytest.mark.parametrize("algorithm", LATTICE_SEARCHES)
def test_every_search_finds_the_same(benches: list[Workbench], home: Path, answers: list[Said], algorithm: str) -> None:
    outcomes = []
    for search, said in zip(searches(benches, home), answers, strict=True):
        driver = LATTICE_SEARCHES[algorithm].driver(search.bench.lattice, search.built.objective, search.settings)
        outcomes.append(drive(driver, replayed(said)))
    found = [(o.best.node, o.best.k, o.best.suppressed, o.exact) for o in outcomes if o.best is not None]
    assert len(found) == 2 and found[0] == found[1]


@pytest.mark.parametrize("frontier", [pareto, poka])
def test_both_frontiers_are_the_same(benches: list[Workbench], home: Path, answers: list[Said], frontier: Any) -> None:
    points = []
    for search, said in zip(searches(benches, home), answers, strict=True):
        driver = frontier(search.bench.lattice, search.built.objective, search.settings)
        points.append([(p.node, p.k, round(p.loss, 9)) for p in drive(driver, replayed(said)).points])
    assert points[0] == points[1]
    assert len(points[0]) > 2


@pytest.mark.parametrize("model", MODELS)
def test_every_model_judges_alike(benches: list[Workbench], home: Path, model: dict[str, Any]) -> None:
    one, other = searches(benches, home, privacy=model)
    nodes = tuple(all_nodes(one.bench.lattice.top))[::7]
    found = shown(one.answers.answer(ScoreNodes(nodes)))
    assert found == shown(other.answers.answer(ScoreNodes(nodes)))
    assert len({passes for _, passes, *_ in found}) == 2, "the model must tell nodes apart"


def test_every_model_is_verified_alike(benches: list[Workbench], home: Path) -> None:
    named = [{"alpha": {"illness": {"alpha": 0.5, "values": ["gout"]}}}, {"beta_likeness": {"illness": {"beta": 0.7}}}]
    for model in (*MODELS, *named):
        worst = []
        for bench, url in zip(benches, ("duckdb:///x", "spark://local"), strict=True):
            bench.job = job_on(url, home, privacy=model)
            (finding,) = measure_models(bench, bench.source, bench.job.columns_with("quasi")[:2])
            worst.append(finding.worst)
        assert worst[0] == pytest.approx(worst[1]), model


def test_the_cheap_road_from_spark_leads_to_the_same_plan(urls: tuple[str, str], home: Path) -> None:
    plans = []
    for url, how in zip(urls, ("never", "always"), strict=True):
        observer = Observer()
        plans.append(kanon_sql.plan(job_on(url, home, search={"embedded": how, "algorithm": "best-first"}), observer))
    assert any(entry.label == "embedded/export_counts" for entry in observer.statements)
    assert plans[0].node == plans[1].node
    assert plans[0].utility == pytest.approx(plans[1].utility)


def test_a_run_publishes_verifies_and_fails_closed(urls: tuple[str, str], duckdb_url: str, home: Path) -> None:
    spark = urls[1]
    people(duckdb_url)  # the module's own file is held by its workbench
    models = {"l_diversity": {"illness": {"l": 2}}, "t_closeness": {"illness": {"t": 0.5}}}
    releases, results = [], []
    for url in (duckdb_url, spark):
        results.append(kanon_sql.run(job_on(url, home, privacy=models, search={"embedded": "auto"}, publish=UNGUARDED)))
        releases.append(sorted(map(str, fetch(url, "select * from release.people"))))
    assert releases[0] == releases[1]
    assert results[0].verified == results[1].verified
    assert results[0].plan.suppressed > 0
    # Nothing changed: the release is kept. Another job: it is a new version.
    again = kanon_sql.run(job_on(spark, home, privacy=models, search={"embedded": "auto"}, publish=UNGUARDED))
    assert (again.unchanged, again.version) == (True, 1)
    measured = kanon_sql.check(job_on(spark, home), "release.people")
    assert measured.k >= 4
    original = flow.choose_recoding

    def lying(*arguments: Any, **options: Any) -> Any:
        chosen = original(*arguments, **options)
        return Chosen(GlobalRecoding((0, 0, 0), chosen.recoding.shape, 0), chosen.plan)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(flow, "choose_recoding", lying)
        with pytest.raises(VerificationFailed):
            kanon_sql.run(job_on(spark, home, privacy={"k": 5}, publish=UNGUARDED))
    assert sorted(map(str, fetch(spark, "select * from release.people"))) == releases[1]
    backend = open_backend(spark, home, read_only=True)
    try:
        assert [relation.name for _, relation in backend.relations("release")] == ["people", "people__v1"]
    finally:
        backend.close()


def test_a_parquet_file_is_a_source(urls: tuple[str, str], home: Path) -> None:
    duckdb, spark = urls
    document = job_on(spark, home, search={"embedded": "always"}).model_dump(mode="json", by_alias=True)
    document["source"] |= {"table": None, "file": "people.parquet"}
    job = Job.model_validate(document)
    job._path = home / "job.yml"
    assert kanon_sql.plan(job).node == kanon_sql.plan(job_on(duckdb, home)).node


def test_a_run_without_a_place_for_the_register_is_refused(urls: tuple[str, str], home: Path) -> None:
    job = job_of(urls[1], "people", COLUMNS | {"income": {"role": "sensitive"}}, base=home)
    with pytest.raises(JobError, match="the register cannot live on this engine") as refused:
        kanon_sql.run(job)
    assert "register: {url:" in refused.value.hint


def test_the_demonstration_gives_the_same_release_on_all_three(
    duckdb_url: str, postgres_url: str, unset_spark_url: str, tmp_path: Path
) -> None:
    """On Spark as a user has it, where the other tests make their sessions cheap."""
    releases, plans = [], []
    execute(duckdb_url, census_sql("people", 600, 7, "duckdb"))
    execute(postgres_url, census_sql("people", 600, 7, "postgresql"))
    load(duckdb_url, unset_spark_url, "people", tmp_path)
    for url in (duckdb_url, postgres_url, unset_spark_url):
        file = tmp_path / "job.yml"
        file.write_text(demo_job().replace("duckdb:///census.duckdb", url), encoding="utf-8")
        overrides = [f"register.url=duckdb:///{tmp_path / 'register.duckdb'}"] if url == unset_spark_url else []
        result = kanon_sql.run(load_job(file, ["search.algorithm=best-first", "publish.guard=never", *overrides]))
        plans.append((result.plan.node, result.plan.k, result.plan.suppressed, result.plan.classes, result.verified))
        releases.append(sorted(tuple(map(str, row)) for row in fetch(url, "select * from release.people")))
    assert plans[0] == plans[1] == plans[2]
    assert releases[0] == releases[1] == releases[2]
