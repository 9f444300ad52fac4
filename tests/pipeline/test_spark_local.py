"""Local recoding on Spark: the same groups, and the same release, as on DuckDB and PostgreSQL from the same rows and seed.

The tables are small and the rounds few: a statement costs Spark a good part of a second whatever it reads, and an algorithm some
hundred statements. So one algorithm stands for all, anneal, which asks all that mondrian asks and more; the others run with the cluster's tests.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs

import pytest

import kanon_sql
from kanon_sql.backends.connect import open_backend
from kanon_sql.cluster.settings import ClusterSettings
from kanon_sql.config import Job
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.observer import Observer
from kanon_sql.sql.relations import GroupTable
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.block_answers import BlockAnswers
from kanon_sql.workbench.coding import build_coding
from kanon_sql.workbench.group_answers import GroupAnswers
from kanon_sql.workbench.objectives import build_weights
from kanon_sql.workbench.workbench import Workbench
from tests.cluster.people import job, load, people
from tests.support import fetch

FEW = {"rounds": 1}
K = 4
ROWS = 22
SEARCHES = "20260101t000000x0000"


def rows() -> list[tuple[object, ...]]:
    """People whose notes are few enough to be published as stored."""
    return [(*person[:-1], number % 5) for number, person in enumerate(people(ROWS, seed=5))]


def replaced_tables(url: str) -> list[str]:
    """The work tables of a Spark warehouse that rounds replace under one of two names; those of `searches` stay as long as it does."""
    work = Path(parse_qs(url.partition("?")[2])["warehouse"][0], "kanon_work.db")
    parts = [folder.name.partition("_") for folder in work.iterdir()] if work.exists() else []
    names = [name for run, _, name in parts if SEARCHES not in run]
    return [name for name in names if name.rpartition("_")[0] in set(GroupTable)]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("jobs")


@pytest.fixture(scope="module")
def urls(module_duckdb_url: str, module_postgres_url: str, module_spark_url: str) -> tuple[str, str, str]:
    """The three engines with the same rows in them."""
    for url in (module_duckdb_url, module_postgres_url, module_spark_url):
        load(url, rows())
    return module_duckdb_url, module_postgres_url, module_spark_url


def job_on(url: str, algorithm: str, home: Path, **sections: Any) -> Job:
    if url.startswith("spark"):
        sections["register"] = {"url": f"duckdb:///{home / 'register.duckdb'}"}
    return job(url, algorithm, K, home, search=FEW, **sections)


@pytest.fixture(scope="module")
def searches(urls: tuple[str, ...], home: Path) -> Iterator[list[GroupAnswers]]:
    """One who answers on each engine, over rows with numbers, a hierarchy, a set, NULLs and a rule."""
    with ExitStack() as stack:
        made = []
        for url in urls:
            backend = open_backend(url, home, read_only=True)
            stack.callback(backend.close)
            chosen = job_on(url, "mondrian", home, columns={"age": {"rules": [{"cut": 40}]}})
            bench = stack.enter_context(Workbench(backend, chosen, SEARCHES))
            bench.prepare()
            rounds = GroupAnswers(bench, build_coding(bench, build_weights(bench)), K)
            rounds.blocks = BlockAnswers(rounds).answer
            made.append(rounds)
        yield made


def groups(rounds: GroupAnswers, algorithm: str) -> list[tuple[int, int]]:
    """The assignment that an algorithm ends with."""
    settings = ClusterSettings(rounds.bench.rows, K, rounds=1, block=20, seed=3, trees=True, ruled=True)
    rounds.run(LOCAL_RECODINGS[algorithm].driver(settings))
    name = rounds.dialect.relation(rounds.assignment)
    found = rounds.bench.backend.fetch(Statement("test", f"select rid, g from {name}"))
    return sorted((int(row), int(group)) for row, group in found)


@pytest.mark.cluster
@pytest.mark.parametrize("algorithm", LOCAL_RECODINGS)
def test_the_same_groups_on_all_three(searches: list[GroupAnswers], algorithm: str) -> None:
    one, two, three = (groups(rounds, algorithm) for rounds in searches)
    assert len({group for _, group in one}) > 3
    assert one == two
    assert one == three


@pytest.mark.parametrize("algorithm", ["anneal", pytest.param("mondrian", marks=pytest.mark.cluster)])
def test_the_same_release_on_all_three(urls: tuple[str, ...], duckdb_url: str, home: Path, algorithm: str) -> None:
    load(duckdb_url, rows())  # the module's own file is held by its workbench
    columns = {"age": {"rules": [{"cut": 40}]}}
    privacy = {"l_diversity": {"illness": {"l": 2}}, "suppression": 0.04 if algorithm == "mondrian" else 0}
    publish = {"table": f"release.{algorithm}", "intervals": "both", "guard": "never"}
    releases, results = [], []
    watched: list[list[str]] = []
    for url in (duckdb_url, *urls[1:]):
        observer = Observer()
        if url.startswith("spark"):
            observer.step = lambda step: watched.append(replaced_tables(urls[2]))
        chosen = job_on(url, algorithm, home, privacy=privacy, publish=publish, columns=columns)
        results.append(kanon_sql.run(chosen, observer))
        releases.append(Counter(tuple(map(str, row)) for row in fetch(url, f"select * from release.{algorithm}")))
    assert releases[0] == releases[1] == releases[2]
    assert results[0].verified == results[1].verified == results[2].verified
    assert results[2].verified["k"] >= K
    assert results[2].plan.utility == pytest.approx(results[0].plan.utility)
    # However many rounds there were, each work table was there once; at the end none is.
    assert {name.rpartition("_")[0] for tables in watched for name in tables} >= {
        GroupTable.ASSIGNMENT,
        GroupTable.BOXES,
    }
    for tables in watched:
        assert len({name.rpartition("_")[0] for name in tables}) == len(tables), tables
    assert replaced_tables(urls[2]) == []


@pytest.mark.cluster
@pytest.mark.slow
def test_the_same_groups_in_the_cluster_as_on_the_embedded_engine(urls: tuple[str, ...], home: Path) -> None:
    releases = []
    for how in ("always", "never"):
        observer = Observer()
        chosen = job_on(urls[2], "mondrian", home, publish={"table": f"release.{how}"})
        kanon_sql.run(
            chosen.model_copy(update={"search": chosen.search.model_copy(update={"embedded": how})}), observer
        )
        assert ("embedded/export_combinations" in {entry.label for entry in observer.statements}) == (how == "always")
        releases.append(Counter(tuple(map(str, row)) for row in fetch(urls[2], f"select * from release.{how}")))
    assert releases[0] == releases[1]
