"""The Python API: jobs without a file, results in a notebook and as tables, and the example notebook itself."""

from __future__ import annotations

import ast
import builtins
import json
from pathlib import Path
from typing import Any

import pytest

import kanon_sql
from kanon_sql.errors import NotInstalled, UnknownKey
from kanon_sql.results import Result
from tests.support import make_table

NOTEBOOK = Path(__file__).parents[1] / "docs" / "example.ipynb"
COLUMNS: dict[str, Any] = {"age": {"role": "quasi", "levels": [10, "*"]}, "sex": {"role": "quasi"}}


def people(url: str, base: Path, **sections: Any) -> kanon_sql.Job:
    make_table(url, "people", ["age integer", "sex text"], [(20 + i % 30, "mf"[i % 2]) for i in range(120)])
    return kanon_sql.Job.from_dict(
        base=base, source={"url": url, "table": "people"}, privacy={"k": 4}, columns=COLUMNS, **sections
    )


def test_a_job_of_keywords_is_the_job_of_a_dictionary_and_of_a_file(tmp_path: Path) -> None:
    sections: dict[str, Any] = {"source": {"file": "people.csv"}, "privacy": {"k": 4}, "columns": COLUMNS}
    (tmp_path / "job.yml").write_text(json.dumps({"version": 1} | sections))
    of_file = kanon_sql.load_job(tmp_path / "job.yml")
    for job in (kanon_sql.Job.from_dict(sections, base=tmp_path), kanon_sql.Job.from_dict(base=tmp_path, **sections)):
        assert job.model_dump() == of_file.model_dump()
        assert (job.base, job.url, job.name) == (of_file.base, of_file.url, of_file.name)


def test_errors_of_a_dictionary_name_the_key_and_no_line() -> None:
    with pytest.raises(UnknownKey, match=r"^job: unknown key columns.age.lewels$") as caught:
        kanon_sql.Job.from_dict(
            source={"file": "people.csv"}, privacy={"k": 4}, columns={"age": {"role": "quasi", "lewels": []}}
        )
    assert caught.value.hint == "did you mean levels?"
    with pytest.raises(kanon_sql.KanonError, match=r"^job: no column has the role quasi$"):
        kanon_sql.Job.from_dict(source={"file": "people.csv"}, privacy={"k": 4}, columns={"age": {"role": "drop"}})


def test_every_result_shows_itself_and_turns_into_tables(duckdb_url: str, tmp_path: Path) -> None:
    job = people(duckdb_url, tmp_path, publish={"table": "release.people"})
    results: list[Result] = [
        kanon_sql.validate(job),
        kanon_sql.check(job),
        kanon_sql.plan(job),
        kanon_sql.run(job),
        kanon_sql.score(job),
        kanon_sql.attack(job),
        kanon_sql.pareto(job),
        kanon_sql.workload(job, queries=5, attributes=2),
        kanon_sql.simulate(job),
        kanon_sql.compare(job, ["datafly", "mondrian"], [4], queries=0),
        kanon_sql.history(job),
        kanon_sql.show(kanon_sql.history(job).runs[0].run.id, job),
        kanon_sql.diff(job, 1, 1),
        kanon_sql.janitor(job),
        kanon_sql.migrate(job),
        kanon_sql.doctor(job),
        kanon_sql.report(job, None, tmp_path / "report.html", with_frontier=False),
    ]
    for result in results:
        name = type(result).__name__
        json.dumps(result.to_dict(), default=str)
        assert f"<b>{name}</b>" in result._repr_html_()
        rows = result.records()
        assert len(result.to_pandas()) == len(rows), name
        assert result.to_arrow().num_rows == len(rows), name
    assert set(kanon_sql.plan(job).to_pandas()["column"]) == {"age", "sex"}


def test_what_a_notebook_shows_is_escaped() -> None:
    hostile = kanon_sql.PlanResult("<script>", False, None, 2, 1, 0, 1, {}, node={"<b>age</b>": 1})
    shown = hostile._repr_html_()
    assert "<script>" not in shown
    assert "<b>age" not in shown
    assert "&lt;script&gt;" in shown


def test_a_table_without_its_package_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(module: str) -> Any:
        raise ImportError(module)

    monkeypatch.setattr("kanon_sql.results.import_module", missing)
    result = kanon_sql.PlanResult("datafly", False, None, 2, 1, 0, 1, {}, node={"age": 1})
    for turn in (result.to_pandas, result.to_arrow):
        with pytest.raises(NotInstalled) as caught:
            turn()
        assert caught.value.hint == "pip install 'kanon_sql[notebook]'"


def test_the_example_notebook_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Cell by cell, as a kernel does: what the last line of a cell says is shown."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    document = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    names: dict[str, Any] = {"__name__": "__main__", "__builtins__": builtins}
    shown = []
    for cell in document["cells"]:
        if cell["cell_type"] != "code":
            continue
        assert cell["outputs"] == []
        tree = ast.parse("".join(cell["source"]))
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, str(NOTEBOOK), "exec"), names)
        if isinstance(last, ast.Expr):
            shown.append(eval(compile(ast.Expression(last.value), str(NOTEBOOK), "eval"), names))
    assert names["published"].verified["k"] >= 5
    assert all(hasattr(each, "_repr_html_") for each in shown if not isinstance(each, list))
