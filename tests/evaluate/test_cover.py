"""Which values a label of a release stands for: the score and the evaluation read labels by the same statements."""

from __future__ import annotations

from pathlib import Path

import pytest

from kanon_sql.backends.connect import open_backend
from kanon_sql.evaluate.published import read_release
from kanon_sql.evaluate.score import score_release
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement
from kanon_sql.workbench.workbench import Workbench
from tests.support import job_of, make_table

ROWS: list[tuple[object, ...]] = [(20, "a"), (20, "b"), (30, "b"), (30, "c"), (None, None), (40, "c")]
ALL_AGES, ALL_CITIES = {20, 30, 40, None}, {"a", "b", "c", None}


@pytest.mark.parametrize(
    ("released", "ages", "cities"),
    [
        # NULL in more rows than the source has NULLs is `*`, and `*` stands for NULL as for the rest.
        ([(None, None)] * 6, {None: ALL_AGES}, {None: ALL_CITIES}),
        ([("*", "*")] * 6, {"*": ALL_AGES}, {"*": ALL_CITIES}),
        # As many NULLs as the source has are NULL.
        ([*[("[20-40]", "{a, b, c}")] * 5, (None, None)], {"[20-40]": {20, 30, 40}, None: {None}}, {None: {None}}),
        (
            [*[("[20-30]", "b or NULL")] * 3, *[("[30-40] or NULL", "{a, c}")] * 3],
            {"[20-30]": {20, 30}, "[30-40] or NULL": {30, 40, None}},
            {"b or NULL": {"b", None}, "{a, c}": {"a", "c"}},
        ),
    ],
)
def test_a_label_covers_the_values_that_the_score_counts(
    engine_url: str,
    tmp_path: Path,
    released: list[tuple[object, ...]],
    ages: dict[str | None, set[object]],
    cities: dict[str | None, set[object]],
) -> None:
    make_table(engine_url, "people", ["age integer", "city varchar(10)"], ROWS)
    make_table(engine_url, "given", ["age varchar(20)", "city varchar(20)"], released)
    job = job_of(engine_url, "people", {"age": {"role": "quasi"}, "city": {"role": "quasi"}}, 2, tmp_path)
    backend = open_backend(engine_url, tmp_path, read_only=True)
    try:
        with Workbench(backend, job, "20260101t000000x0000") as bench:
            bench.prepare()
            release = backend.relation("given")
            score = score_release(bench, release)
            covers = read_release(bench, release, "given").covers
            for index, expected in enumerate((ages, cities)):
                found = covered(bench, covers[index], index)
                assert {label: found[label] for label in expected} == expected
                # The score of an attribute follows from how many values its labels cover.
                share = sum(len(found[row[index]]) - 1 for row in released) / len(released) / 3  # type: ignore[index]
                if index == 1:
                    assert score.attributes["city"]["glm"] == pytest.approx(share)
    finally:
        backend.close()


def covered(bench: Workbench, cover: Relation, index: int) -> dict[str | None, set[object]]:
    """The values under each label."""
    tables = (bench.dialect.relation(table) for table in (cover, bench.names.dictionary(index)))
    sql = "select cover.label_key, words.value from {} as cover join {} as words on words.q{}_0 = cover.code"
    found: dict[str | None, set[object]] = {}
    for label_key, value in bench.backend.fetch(Statement("test", sql.format(*tables, index))):
        found.setdefault(str(label_key)[1:] if label_key else None, set()).add(value)
    return found
