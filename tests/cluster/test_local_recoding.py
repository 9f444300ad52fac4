"""Whole jobs of local recoding on both engines: k holds by a plain count, labels cover the rows, the same groups everywhere."""

from __future__ import annotations

import random
from collections import Counter
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.errors import NoSolution
from kanon_sql.model.algorithms import LOCAL_RECODINGS
from kanon_sql.observer import Observer
from kanon_sql.workbench import moves
from tests.cluster.people import CITIES, job, load, people, released, smallest_class
from tests.support import fetch, job_of, make_table

BUILT = list(LOCAL_RECODINGS)
FEW = {"rounds": 4}


def covers(label: Any, value: Any, kind: str) -> bool:
    """Whether a published label stands for a value, read as a person reads it."""
    if label == "*":
        return True
    if label is None:
        return value is None
    text, null = (label[: -len(" or NULL")], True) if label.endswith(" or NULL") else (label, False)
    if value is None:
        return null
    if kind == "range":
        if text.startswith("["):
            low, high = text[1:-1].split("-")
            return Decimal(low) <= Decimal(str(value)) <= Decimal(high)
        return Decimal(text) == Decimal(str(value))
    if kind == "tree":
        return text in (value, CITIES[value])
    inside = text[1:-1].split(", ") if text.startswith("{") else [text]
    return value.replace(",", "\\c") in inside or value == text


ROWS = people(60)
COLUMNS = "age, income, city, job, illness, note"


def holds(url: str, algorithm: str, base: Path) -> Counter[tuple[str, ...]]:
    """Run it: k holds by a plain count, the labels cover the rows and the score is the plan's. The release, counted."""
    load(url, ROWS)
    result = kanon_sql.run(job(url, algorithm, base=base, search=FEW))
    out = released(url, COLUMNS)
    assert len(out) == len(ROWS)
    assert smallest_class([row[:4] for row in out]) == result.verified["k"] >= 4
    # Every source row is under some published row with its sensitive and kept value: match them one to one, most specific first.
    for illness in {row[4] for row in ROWS}:
        for note in range(7):
            given = [row for row in ROWS if row[4:] == (illness, note)]
            published = [row for row in out if row[4:] == (illness, note)]
            assert len(given) == len(published)
            kinds = ("range", "range", "tree", "set")
            for row in given:
                assert any(all(covers(p[i], row[i], kinds[i]) for i in range(4)) for p in published)
    assert result.plan.groups is not None and result.plan.groups > 5
    score = kanon_sql.score(job(url, algorithm, base=base))
    assert score.measures["ncp"] == pytest.approx(result.plan.utility["ncp"])
    assert score.measures["glm"] == pytest.approx(result.plan.utility["glm"])
    return Counter(tuple(map(str, row)) for row in out)


@pytest.mark.parametrize("algorithm", BUILT)
def test_k_holds_labels_cover_the_rows_and_groups_are_the_same_on_both_engines_and_twice(
    duckdb_url: str, postgres_url: str, algorithm: str, tmp_path: Path
) -> None:
    first = holds(duckdb_url, algorithm, tmp_path)
    assert holds(postgres_url, algorithm, tmp_path) == first
    # Not the release that is there, found unchanged: a second search.
    again = job(duckdb_url, algorithm, base=tmp_path, search=FEW, publish={"table": "release.again", "guard": "never"})
    kanon_sql.run(again)
    assert Counter(tuple(map(str, row)) for row in fetch(duckdb_url, f"select {COLUMNS} from release.again")) == first


def test_tables_changed_in_place_are_those_written_anew(
    engine_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(engine_url, people(150, seed=5))
    plain = {"city": {"groups": None}}  # without levels
    source = {"fingerprint": False}
    wanted = job(engine_url, "anneal", 4, base=tmp_path, search={"rounds": 26}, columns=plain, source=source)
    found = []
    for few, dead in ((1 << 60, 2), (0, 0)):  # never in place, always in place
        monkeypatch.setattr(moves, "FEW", few)
        monkeypatch.setattr(moves, "DEAD", dead)
        observer = Observer()
        kanon_sql.run(wanted, observer)
        labels = {entry.label for entry in observer.statements}
        assert ("cluster/moving/insert_rows" in labels) == (few == 0)
        assert "cluster/moving/copied_groups" in labels  # there was heat
        found.append(Counter(released(engine_url, "age, income, city, job, illness, note")))
    assert smallest_class([row[:4] for row in found[0].elements()]) >= 4
    assert found[0] == found[1]


@pytest.mark.parametrize("algorithm", [name for name in BUILT if name != "mondrian"])
def test_groups_have_k_to_2k_minus_1_rows(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    rows = [(i, None, "Bern", "cook", "flu", 0) for i in range(101)]  # no two alike
    load(duckdb_url, rows)
    kanon_sql.run(job(duckdb_url, algorithm, 5, base=tmp_path, search=FEW))
    sizes = Counter(released(duckdb_url, "age")).values()
    assert min(sizes) >= 5
    assert max(sizes) <= 9


def test_strict_mondrian_never_parts_equal_values(duckdb_url: str, tmp_path: Path) -> None:
    rows = [(20 + i % 12, None, "Bern", "cook", "flu", 0) for i in range(120)]
    load(duckdb_url, rows)
    kanon_sql.run(job(duckdb_url, "mondrian", 4, base=tmp_path))
    assert Counter(row[0] for row in released(duckdb_url, "age")) == {str(20 + i): 10 for i in range(12)}


def test_intervals_as_typed_columns(engine_url: str, tmp_path: Path) -> None:
    rows = people(80)
    load(engine_url, rows)
    publish = {"publish": {"table": "release.people", "intervals": "both"}}
    result = kanon_sql.run(job(engine_url, "mondrian", base=tmp_path, **publish))
    out = released(engine_url, "age, age_lo, age_hi, income, income_lo, income_hi")
    for age, low, high, income, income_low, income_high in out:
        assert age == (f"[{low}-{high}]" if low != high else str(low))
        assert (income_low is None) == (income is None or str(income).endswith("NULL"))
        assert income_low is None or income_low <= income_high
    publish["publish"]["intervals"] = "typed"
    kanon_sql.run(job(engine_url, "mondrian", base=tmp_path, **publish))
    typed = released(engine_url, "age_lo, age_hi, income_lo, income_hi, city, job")
    assert smallest_class(typed) >= 4
    assert Counter(row[:2] for row in typed) == Counter(row[1:3] for row in out)
    score = kanon_sql.score(job(engine_url, "mondrian", base=tmp_path, **publish))
    assert score.attributes["age"]["ncp"] == pytest.approx(result.plan.figures["attributes"]["age"]["ncp"])


def test_snapped_to_a_grid(engine_url: str, tmp_path: Path) -> None:
    load(engine_url, people(120))
    kanon_sql.run(job(engine_url, "mondrian", base=tmp_path, columns={"age": {"snap": 5}, "income": {"snap": 0.5}}))
    out = released(engine_url)
    assert smallest_class(out) >= 4
    for age, income, *_ in out:
        low, high = str(age)[1:-1].split("-")
        assert int(low) % 5 == 0
        assert int(high) % 5 == 4
        if income is not None and income != "*":
            low, high = str(income).removesuffix(" or NULL")[1:-1].split("-")
            assert Decimal(low) % Decimal("0.5") == 0
            assert Decimal(high) % Decimal("0.5") == 0


def test_snapped_to_the_levels_ranges_never_overlap_in_part(engine_url: str, tmp_path: Path) -> None:
    load(engine_url, people(120))
    columns = {"age": {"snap": "levels", "levels": [5, 10, 20, "*"]}}
    kanon_sql.run(job(engine_url, "anneal", base=tmp_path, search=FEW, columns=columns))
    out = released(engine_url)
    assert smallest_class(out) >= 4
    for (label,) in set(released(engine_url, "age")):
        if label != "*" and "-" in str(label):
            low, high = map(int, str(label).split("-"))
            assert high - low + 1 in (5, 10, 20)
            assert low % (high - low + 1) == 0


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal"])
def test_a_rule_is_kept_wherever_it_can_be(duckdb_url: str, algorithm: str, tmp_path: Path) -> None:
    load(duckdb_url, people(200))
    columns = {"age": {"rules": [{"cut": 65}]}, "job": {"rules": [{"apart": ["cook", "pilot"]}]}}
    result = kanon_sql.run(job(duckdb_url, algorithm, base=tmp_path, columns=columns, search={"rounds": 6}))
    assert [rule["broken_groups"] for rule in result.plan.rules] == [0, 0]
    for label, words in released(duckdb_url, "age, job"):
        low, high = str(label)[1:-1].split("-") if str(label).startswith("[") else (label, label)
        assert not int(str(low)) < 65 <= int(str(high))
        assert not ("cook" in str(words) and "pilot" in str(words))


def test_with_weights_the_loss_moves_to_the_light_attributes(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(240))
    weighted = {"age": {"weight": 8}, "income": {"weight": 1}, "city": {"weight": 4}, "job": {"weight": 2}}
    equal = kanon_sql.plan(job(duckdb_url, "anneal", base=tmp_path, search={"rounds": 10})).figures["attributes"]
    heavy = kanon_sql.plan(job(duckdb_url, "anneal", base=tmp_path, search={"rounds": 10}, columns=weighted)).figures[
        "attributes"
    ]
    assert heavy["age"]["glm"] < equal["age"]["glm"] * 0.7
    assert heavy["income"]["glm"] > equal["income"]["glm"]


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal"])
def test_other_privacy_models_hold(engine_url: str, algorithm: str, tmp_path: Path) -> None:
    load(engine_url, people(150))
    privacy = {"l_diversity": {"illness": {"kind": "distinct", "l": 3}}, "t_closeness": {"illness": 0.45}}
    result = kanon_sql.run(job(engine_url, algorithm, base=tmp_path, search=FEW, privacy=privacy))
    assert [model["passes"] for model in result.verified["models"]] == [True, True]
    by_class: dict[object, set[object]] = {}
    for *quasi, illness in released(engine_url, "age, income, city, job, illness"):
        by_class.setdefault(tuple(quasi), set()).add(illness)
    assert min(map(len, by_class.values())) >= 3


def test_what_no_grouping_satisfies_is_refused(duckdb_url: str, tmp_path: Path) -> None:
    load(duckdb_url, people(60))
    privacy = {"l_diversity": {"illness": {"kind": "distinct", "l": 5}}}
    with pytest.raises(NoSolution):
        kanon_sql.run(job(duckdb_url, "mondrian", base=tmp_path, privacy=privacy))


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal"])
def test_rows_far_from_everyone_are_suppressed_within_the_budget(
    engine_url: str, algorithm: str, tmp_path: Path
) -> None:
    near = [(30 + i % 3, 5, "Bern", "cook", "flu", 0) for i in range(60)]
    far = [(80, 900, "Kiel", "pilot", "flu", 0), (79, 950, "Ulm", "nurse, night", "flu", 0)]
    load(engine_url, [*near, *far])
    kept = kanon_sql.plan(job(engine_url, algorithm, 12, base=tmp_path, search=FEW))
    assert kept.suppressed == 0
    result = kanon_sql.run(job(engine_url, algorithm, 12, base=tmp_path, search=FEW, privacy={"suppression": 0.05}))
    assert result.plan.suppressed == 2
    assert {row[2] for row in released(engine_url)} == {"Bern"}
    assert result.plan.utility["glm"] < kept.utility["glm"]


def test_a_group_counts_its_persons(engine_url: str, tmp_path: Path) -> None:
    rows = [(20 + i, None, "Bern", "cook", "flu", i // 3) for i in range(60)]  # three rows of each person, side by side
    load(engine_url, rows)
    columns = {"note": {"role": "identifier"}}
    result = kanon_sql.run(
        job(engine_url, "anneal", 4, base=tmp_path, search=FEW, columns=columns, source={"person": "note"})
    )
    assert result.plan.k >= 4
    for (label,) in set(released(engine_url, "age")):
        low, high = map(int, str(label)[1:-1].split("-"))
        assert len({row[5] for row in rows if low <= int(str(row[0])) <= high}) >= 4


@pytest.mark.parametrize("algorithm", ["mondrian", "anneal"])
def test_the_same_groups_in_the_database_as_on_the_embedded_engine(
    postgres_url: str, algorithm: str, tmp_path: Path
) -> None:
    load(postgres_url, people(90, seed=4))
    found = []
    for how in ("always", "never"):
        observer = Observer()
        search = {"rounds": 2, "embedded": how}
        limit = {"city": {"max_level": 1}}
        again = None if how == "always" else "searched on the other road"  # an unchanged source would keep its release
        kanon_sql.run(job(postgres_url, algorithm, base=tmp_path, search=search, columns=limit), observer, rebase=again)
        labels = {entry.label for entry in observer.statements}
        assert ("embedded/export_combinations" in labels) == (how == "always")
        assert "cluster/coding/rows" in labels
        found.append(Counter(released(postgres_url, "age, income, city, job, illness, note")))
    assert found[0] == found[1]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_where_rows_repeat_auto_loses_no_more_than_mergers(duckdb_url: str, tmp_path: Path, seed: int) -> None:
    """Most rows have others like them, some have none: equal rows that stay together lend rows to those."""
    chosen = random.Random(seed)
    shares: list[tuple[str, list[int]]] = [
        ("abcd", [60, 25, 10, 5]),
        ("xy", [8, 2]),
        ("pqrs", [70, 20, 8, 2]),
        ("012345", [40, 25, 15, 10, 6, 4]),
    ]
    rows = [tuple(chosen.choices(values, weights)[0] for values, weights in shares) for _ in range(700)]
    make_table(duckdb_url, "repeated", ["a varchar(1)", "b varchar(1)", "c varchar(1)", "d varchar(1)"], rows)
    columns = {name: {"role": "quasi"} for name in "abcd"}
    losses, others = {}, ("bottom-up", "euclidean", "k-member")
    for algorithm, rounds in (("auto", None), ("anneal", 8), *((name, None) for name in others)):
        search, utility = {"algorithm": algorithm, "rounds": rounds}, {"metric": "ncp"}
        wanted = job_of(duckdb_url, "repeated", columns, 5, tmp_path, search=search, utility=utility)
        losses[algorithm] = kanon_sql.plan(wanted).utility["ncp"]
    assert losses["auto"] <= min(losses[name] for name in others)
    assert losses["anneal"] <= losses["bottom-up"]  # too few rounds for heat: it moves what mergers find


@pytest.mark.parametrize("algorithm", ["bottom-up", "euclidean", "udrv", "k-member", "spatial-distance"])
def test_where_the_time_ends_before_there_are_groups_the_table_is_cut(
    duckdb_url: str, tmp_path: Path, algorithm: str
) -> None:
    chosen = random.Random(7)
    rows = [(chosen.randrange(100), chosen.choice("abcdef"), chosen.randrange(40)) for _ in range(900)]
    make_table(duckdb_url, "hurried", ["a integer", "b varchar(1)", "c integer"], rows)
    columns = {name: {"role": "quasi"} for name in "abc"}
    plans = []
    for search in ({"algorithm": algorithm, "time_limit": 0.001}, {"algorithm": "mondrian"}):
        wanted = job_of(duckdb_url, "hurried", columns, 5, tmp_path, search=search, utility={"metric": "ncp"})
        observer = Observer()
        plans.append(kanon_sql.plan(wanted, observer))
        rounds = sum(
            entry.label.endswith(("/merging/partners", "/growing/seeds", "/spatial/sorted_seeds"))
            for entry in observer.statements
        )
        assert rounds == 0  # with a limit that the cut into blocks used up none is begun
    hurried, cut = plans
    assert hurried.k >= 5 and hurried.utility["ncp"] <= cut.utility["ncp"]


def test_growing_is_the_same_however_often_free_rows_are_written_anew(
    duckdb_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    load(duckdb_url, people(300))
    found, asked = [], []
    for dead in (1, 8, 10_000):
        monkeypatch.setattr("kanon_sql.workbench.growing.DEAD", dead)
        observer = kanon_sql.Observer()
        plan = kanon_sql.plan(job(duckdb_url, "k-member", base=tmp_path, search={"block": 64}), observer=observer)
        found.append((plan.groups, plan.utility))
        asked.append(sum("still_free" in statement for statement in map(str, observer.statements)))
    assert found[0] == found[1] == found[2]
    assert asked[0] < asked[1] < asked[2]
