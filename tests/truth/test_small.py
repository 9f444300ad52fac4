"""Files, pages and searches: nothing is followed, run, expanded or left where it should not be."""

from __future__ import annotations

import itertools
import json
import os
import random
import resource
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from tests.cli.commands import kanon
from tests.nightly.runs import forked_runs
from tests.support import execute, fetch, make_table
from tests.truth.hundred import make, write_job

EVIL = "</script><img src=x onerror=alert(1)>"


def test_a_columns_name_ends_no_script(duckdb_url: str, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    make(duckdb_url)
    execute(duckdb_url, f'alter table t rename column a to "{EVIL}"')
    job = write_job(tmp_path, duckdb_url)
    text = job.read_text().replace("  a:\n", f"  {json.dumps(EVIL)}:\n")
    job.write_text(text)
    picture = tmp_path / "frontier.html"
    assert kanon("pareto", job, "--picture", picture).exit_code == 0
    page = picture.read_text(encoding="utf-8")
    assert "onerror=alert(1)" in page, "the column is in the picture"
    assert EVIL not in page
    assert "<img src=x" not in page


def test_a_report_of_an_unchanged_night(duckdb_url: str, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    assert kanon("run", job).exit_code == 0
    page = tmp_path / "page.html"
    said = kanon("run", job, "--report", page)
    assert said.exit_code == 0, said.err
    assert "unchanged" in said.out
    assert "rel.t" in page.read_text(encoding="utf-8")


def test_samarati_finds_the_least_height(duckdb_url: str, tmp_path: Path) -> None:
    rows = [(3, "y"), (1, "z"), (6, "y"), (2, "x"), (1, "x"), (6, "z"), (4, "x"), (3, "z")]
    make_table(duckdb_url, "t", ["a integer", "b varchar(1)"], rows)
    job = write_job(
        tmp_path,
        duckdb_url,
        privacy={"k": 2, "suppression": 0.25},
        columns={"a": {"role": "quasi", "levels": [4, "*"]}},
        search={"algorithm": "samarati"},
    )
    job.write_text(job.read_text().replace("  id:\n    role: identifier\n", ""))
    said = kanon("plan", job, "--json")
    assert said.exit_code == 0, said.err
    assert json.loads(said.out)["node"] == {"a": 0, "b": 1}


def test_samarati_against_brute_force(duckdb_url: str, tmp_path: Path) -> None:
    """Random tables with a budget: the least height at which a node passes, counted in plain Python."""
    chance = random.Random(7)
    for case in range(25):
        count, k, share = chance.randint(6, 14), chance.randint(2, 3), chance.choice([0.1, 0.25, 0.4])
        rows = [(chance.randint(0, 7), chance.choice("xyz")) for _ in range(count)]
        make_table(duckdb_url, f"t{case}", ["a integer", "b varchar(1)"], rows)
        job = write_job(
            tmp_path,
            duckdb_url,
            source={"table": f"t{case}"},
            privacy={"k": k, "suppression": share},
            columns={"a": {"role": "quasi", "levels": [2, 4, "*"]}},
            search={"algorithm": "samarati"},
        )
        job.write_text(job.read_text().replace("  id:\n    role: identifier\n", ""))
        said = kanon("plan", job, "--json")
        assert said.exit_code == 0, said.err
        assert sum(json.loads(said.out)["node"].values()) == least_height(rows, k, int(share * count)), case


def least_height(rows: list[tuple[int, str]], k: int, budget: int) -> int:
    best = 99
    for node in itertools.product(range(4), range(2)):
        seen: dict[tuple[object, ...], int] = {}
        for a, b in rows:
            key = ([a, a // 2, a // 4, "*"][node[0]], [b, "*"][node[1]])
            seen[key] = seen.get(key, 0) + 1
        lost = sum(n for n in seen.values() if n < k)
        if lost <= budget and lost < len(rows):
            best = min(best, sum(node))
    return best


def test_files_are_as_private_as_the_umask_says(duckdb_url: str, tmp_path: Path) -> None:
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    results, metrics = tmp_path / "results.json", tmp_path / "kanon.prom"
    for mask, mode in ((0o077, 0o600), (0o027, 0o640)):
        before = os.umask(mask)
        try:
            assert kanon("run", job, "--results", results, "--metrics", metrics).exit_code == 0
        finally:
            os.umask(before)
        for file in (results, metrics):
            assert stat.S_IMODE(file.stat().st_mode) == mode
            file.unlink()


def test_a_symbolic_link_is_never_followed(duckdb_url: str, tmp_path: Path) -> None:
    pytest.importorskip("altair")
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    link = tmp_path / "link.html"
    link.symlink_to(mine)
    assert kanon("run", job).exit_code == 0
    for command in (
        ("report", job, "-o", link),
        ("run", job, "--results", link),
        ("run", job, "--metrics", link),
        ("run", job, "--report", link),
        ("pareto", job, "--picture", link),
    ):
        said = kanon(*command)
        assert mine.read_text() == "mine", command
        assert said.exit_code == 3, (command, said.err)
        assert link.is_symlink(), command


def test_a_lock_file_that_is_a_link(duckdb_url: str, tmp_path: Path) -> None:
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    mine = tmp_path / "mine.txt"
    mine.write_text("mine")
    (tmp_path / "test.duckdb.kanon-lock").symlink_to(mine)
    said = kanon("run", job)
    assert mine.read_text() == "mine"
    assert said.exit_code == 4, said.err
    assert "symbolic link" in said.err


def test_yaml_that_refers_to_itself_again_and_again(tmp_path: Path) -> None:
    bomb = tmp_path / "bomb.yml"
    lines = ["a0: &a0 [x, x]"] + [f"a{i}: &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)]
    bomb.write_text("version: 1\n" + "\n".join(lines) + "\n")
    circle = tmp_path / "circle.yml"
    circle.write_text("version: 1\nprivacy: &p\n  k: 2\n  more: *p\n")
    for file in (bomb, circle):
        done = subprocess.run(
            [sys.executable, "-m", "kanon_sql", "plan", str(file)],
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
        assert done.returncode == 3, done.stderr
    merges = tmp_path / "merges.yml"
    merges.write_text(
        "version: 1\na0: &a0 {x: 1}\n"
        + "\n".join(f"a{i}: &a{i} {{<<: [{', '.join([f'*a{i - 1}'] * 8)}]}}" for i in range(1, 20))
        + "\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "kanon_sql", "plan", str(merges)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 3, done.stderr


def test_a_bomb_in_an_override(duckdb_url: str, tmp_path: Path) -> None:
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    nested = "[&a0 [x, x]" + "".join(f", &a{i} [*a{i - 1}, *a{i - 1}]" for i in range(1, 40)) + "]"
    done = subprocess.run(
        [sys.executable, "-m", "kanon_sql", "plan", str(job), "--set", f"source.options={{x: {nested}}}"],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.returncode == 3, done.stderr


@pytest.mark.parametrize("column", ["figures", "parameters", "node"])
def test_a_broken_row_of_the_register_is_named(engine_url: str, tmp_path: Path, column: str) -> None:
    make(engine_url)
    job = write_job(tmp_path, engine_url)
    assert kanon("run", job).exit_code == 0
    execute(engine_url, f"update kanon.runs set {column} = '{{\"broken'")
    (run,) = fetch(engine_url, "select id from kanon.runs")[0]
    for command in (("history", job), ("run", job)):
        said = kanon(*command)
        assert said.exit_code == 7, said.err
        assert str(run) in said.err
        assert column in said.err
        assert "Traceback" not in said.err
        assert "register" in said.err


def test_what_a_killed_run_leaves_in_the_temporary_directory(
    postgres_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make(postgres_url)
    job = write_job(tmp_path, postgres_url)
    folder = tmp_path / "temporary"
    folder.mkdir()
    (folder / "kanon_sql_mine").mkdir()
    (folder / "kanon_sql_mine" / "file").write_text("mine")
    monkeypatch.setenv("TMPDIR", str(folder))
    monkeypatch.setattr(tempfile, "tempdir", None)
    with forked_runs() as runs:
        assert runs.run(job, at="embedded/import_counts", who="client")["status"] == -9
        assert len(list(folder.glob("kanon_sql_*"))) > 1
        assert runs.run(job)["exit"] == 0
    assert [path.name for path in folder.glob("kanon_sql_*")] == ["kanon_sql_mine"]
    assert (folder / "kanon_sql_mine" / "file").read_text() == "mine"


def test_a_full_disk_is_called_one(duckdb_url: str, tmp_path: Path) -> None:
    make(duckdb_url)
    execute(
        duckdb_url, "insert into t select 1000 + i, i % 20, chr(cast(97 + i % 2 as integer)) from range(300000) r(i)"
    )
    execute(duckdb_url, "alter table t add column c bigint", "update t set c = hash(id) % 1000000")
    job = write_job(
        tmp_path, duckdb_url, columns={"c": {"role": "keep"}}, privacy={"accept": ["nearly_unique_columns"]}
    )
    size = (tmp_path / "test.duckdb").stat().st_size
    with forked_runs() as runs:
        failed = runs.run(job, at="release/stage", who="disk", bytes=size + 4096)
        assert failed["exit"] == 4, failed
        assert "space" in failed["error"]["message"] + failed["error"]["hint"]
        assert runs.run(job)["exit"] == 0


def test_results_that_cannot_be_written_do_not_deny_a_release(duckdb_url: str, tmp_path: Path) -> None:
    make(duckdb_url)
    job = write_job(tmp_path, duckdb_url)
    results = tmp_path / "small" / "results.json"

    code = (
        "import resource, sys, signal; signal.signal(signal.SIGXFSZ, signal.SIG_IGN);"
        "from kanon_sql.cli import main; from kanon_sql.pages import run_files;"
        "import kanon_sql.pages.run_files as f; original = f.write_results;"
        "f.write_results = lambda *a: (resource.setrlimit(resource.RLIMIT_FSIZE, (10, resource.RLIM_INFINITY)), original(*a));"
        f"sys.argv = ['kanon', 'run', {str(job)!r}, '--results', {str(results)!r}]; main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    assert "published rel.t version 1" in done.stdout
    assert "results.json" in done.stderr
    assert list(results.parent.iterdir()) == []
    assert resource.getrlimit(resource.RLIMIT_FSIZE)[0] == resource.RLIM_INFINITY
