"""Embedded search: the same plan and the same release whether the search runs in the database or over counts on the embedded engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql import pareto
from kanon_sql.config import Job
from kanon_sql.observer import Observer
from tests.support import fetch, job_of, make_table

COLUMNS: dict[str, Any] = {
    "age": {"role": "quasi", "levels": [5, 20, "*"], "rules": [{"cut": 40, "importance": 2}]},
    "town": {"role": "quasi", "groups": [{"north": ["Oslo", "Umeå"], "south": ["Rome", "it's"]}, "*"]},
    "weight": {"role": "quasi", "levels": [{"width": 12.5}, "*"]},
    "illness": {"role": "sensitive"},
    "income": {"role": "keep"},
}
TOWNS = ("Oslo", "Umeå", "Rome", "it's", None)
ILLNESSES = ("flu", "cold", "gout", None)


def people(url: str, name: str = "people") -> None:
    rows = [
        (
            20 + (i * 7) % 50,
            TOWNS[(i * i) % 5],
            None if i % 41 == 0 else 50 + (i * 13) % 40 / 2,
            ILLNESSES[(i // 3) % 4],
            ("high", "low")[i % 3 == 0],
        )
        for i in range(400)
    ]
    columns = ["age integer", "town varchar(10)", "weight double precision", "illness varchar(9)", "income varchar(9)"]
    make_table(url, name, columns, rows)


def embedded(job: Job, how: str) -> Job:
    return job.model_copy(update={"search": job.search.model_copy(update={"embedded": how})})


def labels(observer: Observer) -> set[str]:
    return {entry.label for entry in observer.statements}


@pytest.mark.parametrize(
    "sections",
    [
        {"utility": {"metric": "glm"}, "privacy": {"suppression": 0.03}},
        {"utility": {"metric": "rv", "weights": "auto"}, "search": {"algorithm": "best-first"}},
        {
            "utility": {"metric": "ncp", "target": "income"},
            "privacy": {
                "l_diversity": {"illness": {"l": 2}},
                "t_closeness": {"illness": {"t": 0.6}},
                "suppression": 0.05,
            },
        },
        {"utility": {"metric": "classification", "target": "income"}, "privacy": {"suppression": 0.02}},
        {"utility": {"metric": "discernibility"}, "search": {"algorithm": "incognito"}},
        {"utility": {"metric": "entropy"}, "privacy": {"suppression": 0.02}, "search": {"algorithm": "global"}},
    ],
)
def test_the_plan_is_the_same_on_both_roads(
    module_postgres_url: str, sections: dict[str, Any], request: pytest.FixtureRequest
) -> None:
    if not fetch(module_postgres_url, "select 1 from information_schema.tables where table_name = 'people'"):
        people(module_postgres_url)
    job = job_of(module_postgres_url, "people", COLUMNS, k=4, **sections)
    watched, plans = Observer(), []
    for how, observer in (("always", watched), ("never", Observer())):
        plan = kanon_sql.plan(embedded(job, how), observer).to_dict()
        for key in ("seconds", "statements", "notes"):
            plan.pop(key, None)
        for point in plan["figures"].get("timeline", []):
            point.pop("seconds", None)
        plans.append(plan)
    assert _rounded(plans[0]) == _rounded(plans[1])
    assert "embedded/export_counts" in labels(watched)


def test_only_numbers_leave_the_database(postgres_url: str) -> None:
    people(postgres_url)
    job = embedded(
        job_of(postgres_url, "people", COLUMNS, k=4, privacy={"l_diversity": {"illness": {"l": 2}}}), "always"
    )
    from kanon_sql.backends.postgres import PostgresBackend

    seen: list[bytes] = []
    original = PostgresBackend.export_counts

    def watching(self: PostgresBackend, statement: Any, file: Path, columns: Any) -> str:
        selectable = original(self, statement, file, columns)
        seen.append(file.read_bytes())
        return selectable

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(PostgresBackend, "export_counts", watching)
        kanon_sql.plan(job)
    exported = b"".join(seen)
    assert seen and set(exported) <= set(b"0123456789.,-\n")


def test_a_release_is_the_same_on_both_roads(postgres_url: str) -> None:
    people(postgres_url)
    releases = []
    for how in ("always", "never"):
        job = job_of(
            postgres_url,
            "people",
            COLUMNS,
            k=4,
            privacy={"suppression": 0.03},
            search={"embedded": how, "reuse": False},
            source={"fingerprint": False},
        )
        result = kanon_sql.run(job)
        assert result.plan.suppressed > 0
        releases.append(sorted(map(str, fetch(postgres_url, "select * from release.people"))))
    assert releases[0] == releases[1]


def test_a_frontier_is_the_same_on_both_roads(postgres_url: str) -> None:
    people(postgres_url)
    found = []
    for how in ("always", "never"):
        job = embedded(job_of(postgres_url, "people", COLUMNS, k=2, privacy={"suppression": 0.02}), how)
        frontier = pareto(job, keep=False).frontier
        found.append([(point.node, point.k, round(point.loss, 9)) for point in frontier.points])
    assert found[0] == found[1]


def test_counts_stay_when_the_job_or_the_table_says_so(postgres_url: str) -> None:
    people(postgres_url)
    make_table(postgres_url, "visits", ["person integer", "place varchar(5)"], [(1, "a"), (1, "a"), (2, "a"), (3, "a")])
    visits = {"person": {"role": "identifier"}, "place": {"role": "quasi"}}
    for job, note in (
        (job_of(postgres_url, "people", COLUMNS, search={"embedded": "never"}), None),
        (job_of(postgres_url, "people", COLUMNS, search={"embedded": "auto", "embedded_limit": 10}), None),
        (
            job_of(postgres_url, "visits", visits, source={"person": "person"}, search={"embedded": "always"}),
            "their keys do not leave it",
        ),
    ):
        observer = Observer()
        plan = kanon_sql.plan(job, observer)
        assert "embedded/export_counts" not in labels(observer)
        assert note is None or any(note in line for line in plan.notes)


def _rounded(value: Any) -> Any:
    """Sums of doubles may differ in their last digits between engines."""
    if isinstance(value, float):
        return round(value, 9)
    if isinstance(value, dict):
        return {key: _rounded(inner) for key, inner in value.items()}
    return [_rounded(inner) for inner in value] if isinstance(value, list) else value
