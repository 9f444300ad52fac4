"""`kanon hierarchy`: every kind of proposal is one that the job file accepts, and what is wrong is said in words."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import duckdb
import pytest

import kanon_sql
from kanon_sql import load_job
from kanon_sql.errors import HierarchyError
from kanon_sql.onboarding import icd10
from kanon_sql.onboarding.code_systems import recognise
from kanon_sql.onboarding.proposals import rounded
from kanon_sql.onboarding.taxonomy import chains
from tests.cli.commands import kanon

JOB = """
version: 1
source: {url: "duckdb:///clinic.duckdb", table: visits}
privacy: {k: 5}
columns:
  id: {role: identifier}
  dx: {role: quasi%s}
  amount: {role: quasi%s}
  seen: {role: quasi%s}
  ward: {role: quasi%s}
  zip: {role: quasi%s}
publish: {table: release.visits}
"""


@pytest.fixture
def clinic(tmp_path: Path) -> Path:
    with duckdb.connect(str(tmp_path / "clinic.duckdb")) as database:
        database.execute(
            "create table visits as select i as id, "
            "(['I21.4', 'I21.4', 'E11.9', 'J18.1', 'K35.8', 'F32.0', 'C50.9', 'S72.0'])[1 + i % 8] as dx, "
            "(i * 37 % 900) / 7.0 as amount, date '2020-01-01' + (i % 700)::integer as seen, "
            "(['w1', 'w2', 'w3'])[1 + i % 3] as ward, lpad((10000 + i % 40 * 7)::varchar, 5, '0') as zip "
            "from range(600) r(i)"
        )
        database.execute(
            "create table places as select * from (values ('w1', 'north', 'Ward 1'), ('w2', 'north', 'Ward 2'), "
            "('north', 'all', 'The north'), ('all', null, 'All')) t(code, parent, name)"
        )
    (tmp_path / "job.yml").write_text(JOB % (("",) * 5))
    return tmp_path / "job.yml"


@pytest.mark.parametrize(
    ("column", "kind"),
    [("dx", "icd10"), ("amount", "widths"), ("seen", "dates"), ("ward", "skeleton"), ("zip", "prefix")],
)
def test_the_kind_follows_from_type_and_values(clinic: Path, column: str, kind: str) -> None:
    assert kanon_sql.hierarchy(load_job(clinic), column).proposal.kind == kind


def test_every_proposal_is_accepted_by_the_job_file(clinic: Path) -> None:
    entries = []
    for column, kind in (("dx", None), ("amount", "quantiles"), ("seen", None), ("ward", None), ("zip", None)):
        found = kanon_sql.hierarchy(load_job(clinic), column, kind, output=clinic.parent / "levels" / f"{column}.csv")
        entries.append(f", {found.entry}")
    clinic.write_text(JOB % tuple(entries))
    plan = kanon_sql.plan(load_job(clinic))
    assert plan.k >= 5 and set(plan.node or {}) == {"dx", "amount", "seen", "ward", "zip"}


def test_the_command_writes_the_file_and_shows_the_line(clinic: Path) -> None:
    done = kanon("hierarchy", clinic, "dx", "--output", clinic.parent / "dx.csv")
    assert done.exit_code == 0, done.err
    assert "hierarchy: dx.csv" in done.out and "→ I21 → I20-I25 → I00-I99 → *" in done.out
    again = kanon("hierarchy", clinic, "dx", "--output", clinic.parent / "dx.csv")
    assert again.exit_code == 3 and "--force" in again.err
    shown = json.loads(kanon("hierarchy", clinic, "ward", "--json").out)
    assert shown["kind"] == "skeleton" and shown["values"] == 3


def test_a_taxonomy_of_the_database_becomes_a_hierarchy(clinic: Path) -> None:
    done = kanon("hierarchy", clinic, "ward", "--taxonomy", "places", "--label", "name", "-o", "-")
    assert done.exit_code == 0, done.err
    assert done.out.splitlines() == [
        "value;level1;level2;*",
        "w1;The north;All;*",
        "w2;The north;All;*",
        "w3;w3;w3;*",
    ]
    told = kanon("hierarchy", clinic, "ward", "--taxonomy", "places")
    assert "the taxonomy does not have 1 value" in told.out


def test_what_does_not_cover_or_nest_is_said_in_words(clinic: Path) -> None:
    (clinic.parent / "ward.csv").write_text("w1;a;*\nw9;b;*\n")
    clinic.write_text(JOB % ("", "", "", ", hierarchy: ward.csv", ""))
    told = kanon("hierarchy", clinic, "ward").out
    assert "ward.csv misses 2 values of the table, among them 'w2', 'w3'" in told
    assert "ward.csv has 1 value that the table does not have" in told
    (clinic.parent / "ward.csv").write_text("w1;a;x\nw2;a;y\nw3;b;y\n")
    assert "it does not nest" in kanon("hierarchy", clinic, "ward").out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nowhere",), "the job has no column nowhere"),
        (("ward", "--kind", "guess"), "kinds are widths"),
        (("ward", "--kind", "widths"), "widths need a number"),
        (("ward", "--kind", "taxonomy"), "--taxonomy"),
        (("ward", "--taxonomy", "nothing"), "there is no table or view"),
        (("ward", "--taxonomy", "places", "--value", "no"), "has no column no"),
    ],
)
def test_mistakes_end_with_a_way_out(clinic: Path, arguments: tuple[str, ...], said: str) -> None:
    done = kanon("hierarchy", clinic, *arguments)
    assert done.exit_code == 3 and said in done.err


def test_the_structure_of_icd_10_nests() -> None:
    for ranges in (icd10.CHAPTERS, icd10.BLOCKS):
        assert ranges == sorted(ranges)
        assert all(a[4:] < b[:3] for a, b in itertools.pairwise(ranges))
    for block in icd10.BLOCKS:
        assert icd10.labels(block[:3])[2] == icd10.labels(block[4:])[2]
    assert icd10.labels("I21.4") == ("I21", "I20-I25", "I00-I99")
    assert icd10.labels("T79.1") == ("T79", "T79", "S00-T98")


def test_codes_are_known_by_their_look_alone() -> None:
    def system(values: list[str]) -> str | None:
        found = recognise([(value, 10) for value in values])
        return None if found is None else found.name

    assert system(["I21.4", "E119", "J18.1", "K35", "F32.0"]) == "icd10"
    assert system(["A10BA02", "C09AA05", "N02BE01", "J01CA04", "B01AC06"]) == "atc"
    assert system(["R01", "R02", "R03", "R04", "R05", "R06"]) is None, "rooms of one ward are no diseases"
    assert system(["north", "south", "I21.4"]) is None


def test_cuts_are_rounded_as_far_as_they_stay_apart() -> None:
    assert rounded([75.71428, 152.14, 228.71, 1202.857]) == [76, 150, 230, 1200]
    assert rounded([0.5, 0.25]) == [0.5, 0.2]


def test_a_taxonomy_with_a_cycle_is_refused() -> None:
    with pytest.raises(HierarchyError, match="cycle"):
        chains(["a"], {"a": "b", "b": "a"}, {})
