"""The job file: the contract's example loads, unknown keys are named with their line, secrets come from the environment."""

from __future__ import annotations

import textwrap
from pathlib import Path

import pytest
import yaml

from kanon_sql.config import job_schema, load_job, parse_job, yaml_text
from kanon_sql.config.attributes import validate_offline
from kanon_sql.errors import HierarchyError, JobError, RuleError, UnknownKey

SMALL = """
version: 1
source: {url: "duckdb:///x.duckdb", table: people}
privacy: {k: 5}
columns:
  age: {role: quasi, levels: [5, "*"]}
"""


def with_line(line: str) -> str:
    return SMALL + line + "\n"


def test_every_key_of_the_contract_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEST_URL", "duckdb:///census.duckdb")
    text = textwrap.dedent("""
        version: 1
        source: {url: "${TEST_URL}", table: census.people, person: person_id}
        privacy:
          k: 5
          suppression: 0.01
          l_diversity: {diagnosis: {kind: distinct, l: 3}}
          t_closeness: {diagnosis: 0.2}
        columns:
          person_id:  {role: identifier}
          age: {role: quasi, type: numeric, weight: 2, levels: [5, 10, 20, "*"], rules: [{cut: 65, importance: 25}]}
          zip:        {role: quasi, levels: [{prefix: 4}, {prefix: 3}, "*"]}
          birth_date: {role: quasi, type: date, levels: [month, year, decade, "*"]}
          race: {role: quasi, hierarchy: hierarchies/race.csv, rules: [{apart: [White, Black], importance: 20}]}
          education:
            role: quasi
            groups:
              - {School: [9th, 10th], College: [Some-college, Bachelors]}
              - "*"
            max_level: 1
          sex:        {role: quasi, levels: ["*"]}
          diagnosis:  {role: sensitive}
          visits:     {role: keep}
          free_text:  {role: drop}
        utility: {metric: rv, base: 10, importance: 0.5}
        search: {algorithm: global, block: 400, seed: 1}
        register: {url: "${TEST_URL}"}
        publish: {table: release.people, keep: 7}
    """)
    job = parse_job(text)
    assert job.url == "duckdb:///census.duckdb"
    assert job.columns_with("quasi") == ["age", "zip", "birth_date", "race", "education", "sex"]
    assert job.register_at.url == "duckdb:///census.duckdb"


@pytest.mark.parametrize(
    ("text", "error", "message"),
    [
        (with_line("serach: {algorithm: global}"), UnknownKey, "job:7: unknown key serach"),
        (SMALL.replace("{k: 5}", "{k: 5, supression: 0.1}"), UnknownKey, "job:4: unknown key privacy.supression"),
        (SMALL.replace("levels", "levls"), UnknownKey, "job:6: unknown key columns.age.levls"),
        (SMALL.replace("k: 5", "k: 1"), JobError, "job:4: privacy: k = 1 protects nobody"),
        (with_line("privacy: {k: 3}"), JobError, "job:7: the key privacy is written twice"),
        (
            SMALL.replace("role: quasi", "role: keep").replace(', levels: [5, "*"]', ""),
            JobError,
            "no column has the role quasi",
        ),
        (with_line("search: {algorithm: globl}"), JobError, "job:7: unknown algorithm 'globl'"),
        (
            with_line("utility: {metric: classification, target: agee}"),
            JobError,
            "utility.target 'agee' is not a column",
        ),
        (SMALL.replace("version: 1", "version: 2"), JobError, "job:2: version"),
        (SMALL.replace(", table: people", ""), JobError, "name either `table` or `file`"),
        ("version: [1", JobError, "not valid YAML"),
        ("", JobError, "empty"),
        ("- 1", JobError, "not a mapping"),
    ],
)
def test_what_is_wrong_is_said_with_its_line(text: str, error: type[JobError], message: str) -> None:
    with pytest.raises(error) as raised:
        parse_job(text)
    assert message in raised.value.message


def test_an_unknown_algorithm_gets_the_nearest_name() -> None:
    with pytest.raises(JobError) as raised:
        parse_job(with_line("search: {algorithm: mondrain}"))
    assert raised.value.hint.startswith("did you mean mondrian?")


def test_a_missing_environment_variable_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("KANON_NOWHERE", raising=False)
    with pytest.raises(JobError, match=r"job:3: the environment variable KANON_NOWHERE is not set"):
        parse_job(SMALL.replace("duckdb:///x.duckdb", "${KANON_NOWHERE}"))


def test_a_doubled_dollar_is_a_dollar() -> None:
    job = parse_job(SMALL.replace("x.duckdb", "x$${HOME}.duckdb"))
    assert job.url == "duckdb:///x${HOME}.duckdb"


def test_overrides_change_keys() -> None:
    job = parse_job(SMALL, overrides=["privacy.k=10", "columns.age.levels=[10, '*']", "search.seed=7"])
    assert (job.privacy.k, job.search.seed) == (10, 7)
    with pytest.raises(JobError, match="not key=value"):
        parse_job(SMALL, overrides=["privacy.k"])
    with pytest.raises(UnknownKey):
        parse_job(SMALL, overrides=["privacy.kk=3"])


def test_a_missing_job_file_says_how_to_get_one(tmp_path: Path) -> None:
    with pytest.raises(JobError, match="there is no job file") as raised:
        load_job(tmp_path / "none.yml")
    assert "kanon init" in raised.value.hint


def test_the_schema_names_every_section_and_validates_nothing_else() -> None:
    schema = job_schema()
    assert set(schema["properties"]) >= {
        "version",
        "source",
        "privacy",
        "columns",
        "utility",
        "search",
        "register",
        "publish",
    }
    assert schema["additionalProperties"] is False


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a;x;*\nb;y\n", "rows are ragged, 1 of 2"),
        ("a;x;p;*\nb;x;q;*\nc;y;q;*\n", r"1 label has more than one label one level up \(levels 1 and 2\)"),
        ("a;x;*\na;y;*\n", "1 value stands twice"),
        ("", "the file is empty"),
    ],
)
def test_bad_hierarchies_are_found_offline(tmp_path: Path, content: str, message: str) -> None:
    (tmp_path / "h.csv").write_text(content)
    job = parse_job(SMALL.replace('levels: [5, "*"]', "hierarchy: h.csv"), tmp_path / "job.yml")
    with pytest.raises(HierarchyError, match=message):
        validate_offline(job)


@pytest.mark.parametrize(
    "content", ["a;x;*\nb;x;*\nc;y;*\n", "age;l1;l2\na;x;*\nb;x;*\nc;y;*\n", "value,l1\na,x\nb,x\nc,y\n"]
)
def test_hierarchies_may_have_headers_and_commas(tmp_path: Path, content: str) -> None:
    (tmp_path / "h.csv").write_text(content)
    job = parse_job(SMALL.replace('levels: [5, "*"]', "hierarchy: h.csv"), tmp_path / "job.yml")
    assert validate_offline(job) == {"age": 3}


def test_rules_that_contradict_themselves_are_refused() -> None:
    with pytest.raises(RuleError, match="both sides"):
        validate_offline(parse_job(SMALL.replace('levels: [5, "*"]', "rules: [{apart: [a, a]}]")))


def test_an_unknown_key_is_not_answered_with_itself() -> None:
    with pytest.raises(UnknownKey) as raised:
        parse_job(SMALL.replace("{k: 5}", "{k: 5, type: numeric}"))
    assert "mean type?" not in raised.value.hint


@pytest.mark.parametrize(
    "text", [SMALL, "[a, {b: 'c: d', ? e : [1.5, 2026-01-02, ~]}]", "- &x {a: *x}", "", "# nothing"]
)
def test_libyaml_reads_what_python_reads(text: str) -> None:
    def shown(node: yaml.Node | None) -> object:
        if isinstance(node, yaml.ScalarNode) or node is None:
            return node and (node.tag, node.start_mark.line, node.value)
        parts = [shown(part) for item in node.value for part in (item if isinstance(item, tuple) else (item,))]
        return (node.tag, node.start_mark.line, parts)

    assert isinstance(yaml_text.Quick, type)
    if "*x" in text:
        with pytest.raises(JobError, match="an alias refers to what it stands in"):
            parse_job(text)
        return
    assert shown(yaml_text.composed(text)[1]) == shown(yaml.SafeLoader(text).get_single_node())


def test_what_libyaml_refuses_is_told_in_the_words_of_python() -> None:
    for text in ("a: [1, 2", "a: b: c", "\ta: 1", "a: *nothing"):
        with pytest.raises(yaml.MarkedYAMLError) as python:
            yaml.SafeLoader(text).get_single_node()
        with pytest.raises(yaml.MarkedYAMLError) as ours:
            yaml_text.composed(text)
        assert str(ours.value) == str(python.value)
