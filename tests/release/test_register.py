"""The register on both engines: made, migrated, refused, written and read, and free of passwords."""

from __future__ import annotations

import dataclasses
import json
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from kanon_sql.backends.base import Backend
from kanon_sql.backends.connect import open_backend
from kanon_sql.config.load import parse_job
from kanon_sql.config.schema import Job
from kanon_sql.errors import JobError, PermissionDenied, RegisterError, StatementFailed
from kanon_sql.release.entries import CURRENT, DONE, DROPPED, FAILED, KEPT, PUBLISHED, ROLLED_BACK, RUNNING, Owner
from kanon_sql.release.migrate import check_revision, known_revisions, migrate, migrations_root, revision_of
from kanon_sql.release.register import Register
from kanon_sql.release.register_place import open_register, same_database
from kanon_sql.release.run_id import new_run_id
from kanon_sql.results import PlanResult, RunResult
from kanon_sql.sql.dialect import Relation
from kanon_sql.sql.statement import Statement

JOB = """
version: 1
source: {{url: "{url}", table: people}}
privacy: {{k: 2}}
columns:
  age: {{role: quasi, levels: [10, "*"]}}
publish: {{table: release.people}}
{more}
"""


def make_job(url: str, more: str = "") -> Job:
    return parse_job(JOB.format(url=url, more=more))


@pytest.fixture
def backend(engine_url: str) -> Iterator[Backend]:
    opened = open_backend(engine_url, Path.cwd(), read_only=False)
    yield opened
    opened.close()


@pytest.fixture
def register(backend: Backend) -> Register:
    made = Register(backend)
    made.ensure()
    return made


def older_root(tmp_path: Path, keep: int) -> Path:
    """The migrations of an earlier version of the program: the first `keep` revisions."""
    root = tmp_path / f"migrations_{keep}"
    shutil.copytree(migrations_root(), root, ignore=shutil.ignore_patterns("__pycache__"))
    for path in sorted((root / "versions").glob("[0-9]*_*.py"))[keep:]:
        path.unlink()
    return root


def release(register: Register, version: int, run: str = "r", job: str = "release.people") -> None:
    register.add_release(run=run, job=job, version=version, table=f"release.people__v{version}", view=job, rows=10, k=2)


def test_made_once_then_found(backend: Backend) -> None:
    register = Register(backend)
    assert not register.readable()
    assert register.ensure() == known_revisions()
    assert register.readable()
    before = len(backend.trace.entries)
    assert register.ensure() == []
    assert len(backend.trace.entries) - before <= 2, "the check of an up-to-date register is two plain statements"


def test_older_is_migrated_and_keeps_its_rows(backend: Backend, tmp_path: Path, engine_url: str) -> None:
    register = Register(backend)
    old = older_root(tmp_path, 1)
    assert migrate(backend, register.names, old) == known_revisions()[:1]
    register.start_run("20260101t000000xaaaa", make_job(engine_url))
    assert register.outdated()
    with pytest.raises(RegisterError, match="older revision 0001"):
        register.readable()
    assert register.ensure() == known_revisions()[1:]
    assert register.readable()
    assert [run.id for run in register.history()] == ["20260101t000000xaaaa"]
    register.save_frontier("20260101t000000xaaaa", {"points": []})


def test_newer_is_refused_and_left_alone(backend: Backend, tmp_path: Path) -> None:
    register = Register(backend)
    register.ensure()
    with pytest.raises(
        RegisterError, match=f"revision {known_revisions()[-1]}, newer than this program knows"
    ) as caught:
        migrate(backend, register.names, older_root(tmp_path, 1))
    assert "upgrade kanon_sql" in caught.value.hint
    assert revision_of(backend, register.names) == known_revisions()[-1]


def test_unknown_and_broken_revisions_are_refused(backend: Backend, register: Register) -> None:
    table = backend.dialect.relation(register.names.version)
    with pytest.raises(RegisterError, match="unknown revision"):
        check_revision("0000a", register.names)
    backend.execute(Statement("test", f"delete from {table}"))
    with pytest.raises(RegisterError, match="names 0 revisions"):
        register.ensure()


def test_failing_migration_leaves_nothing(backend: Backend, tmp_path: Path) -> None:
    root = older_root(tmp_path, 1)
    (root / "versions" / "0002_broken.py").write_text(
        "from alembic import op\nrevision = '0002'\ndown_revision = '0001'\n"
        "def upgrade():\n    op.execute('create table no_such_schema_here.x (a integer)')\n"
    )
    register = Register(backend)
    with pytest.raises(StatementFailed):
        migrate(backend, register.names, root)
    assert revision_of(backend, register.names) is None
    assert not backend.exists(register.names.runs)
    assert register.ensure() == known_revisions()


@pytest.mark.parametrize("schema", ["My register", 'o"d.d', "select", "ka%non", "pädagogik", "a:b"])
def test_odd_schema_names(backend: Backend, schema: str) -> None:
    register = Register(backend, schema)
    register.ensure()
    assert register.next_version("x") == 1
    assert register.history() == []


@pytest.mark.parametrize("stem", ["kanon", "memory", "kanon_work", "a.b", "o'dd", "select"])
def test_odd_file_names(tmp_path: Path, stem: str) -> None:
    """A DuckDB file is a catalog named like the file: one named like the register's schema must not be ambiguous."""
    backend = open_backend(f"duckdb:///{tmp_path / stem}.duckdb", tmp_path, read_only=False)
    try:
        register = Register(backend)
        register.ensure()
        assert register.next_version("x") == 1
    finally:
        backend.close()


def test_runs(register: Register, engine_url: str) -> None:
    job = make_job(engine_url)
    first, second = "20260101t000000xaaaa", "20260101t000001xbbbb"
    register.start_run(first, job)
    running = register.show(first)
    assert (running.status, running.job, running.ended, running.seconds) == (RUNNING, "release.people", None, None)
    assert running.pid
    assert running.host
    assert running.account
    assert running.program.startswith("kanon_sql ")
    assert running.parameters["privacy"]["k"] == 2
    register.finish_run(first, DONE, node={"age": 1}, figures={"k": 3, "ü'\"%": [1.5, None]}, timings={"seconds": 2})
    register.start_run(second, job, command="plan")
    register.finish_run(second, FAILED, error="it broke: 'so'")
    done, failed = register.show(first), register.show(second)
    assert (done.node, done.figures, done.timings) == ({"age": 1}, {"k": 3, "ü'\"%": [1.5, None]}, {"seconds": 2})
    assert done.seconds is not None
    assert done.seconds >= 0
    assert (failed.status, failed.error, failed.command) == (FAILED, "it broke: 'so'", "plan")
    assert [run.id for run in register.history()] == [second, first]
    assert [run.id for run in register.history(limit=1)] == [second]
    assert register.history("other") == []
    json.dumps(done.to_dict())


def test_the_newest_of_some_commands_and_states(register: Register, engine_url: str) -> None:
    job = make_job(engine_url)
    for run, command, status in (("r1", "run", PUBLISHED), ("r2", "rollback", DONE), ("r3", "run", DONE)):
        register.start_run(run, job, command=command)
        register.finish_run(run, status)
    newest = register.newest(job.name, (("run", PUBLISHED), ("rollback", DONE)))
    assert newest is not None
    assert newest.id == "r2"
    assert register.newest(job.name, (("run", FAILED),)) is None
    assert register.newest("another", (("run", PUBLISHED),)) is None


def test_an_owner_is_written_when_it_is_another(register: Register) -> None:
    first = Owner("main.people", "job.yml", "r1")
    register.set_owner("release.people", first)
    register.set_owner("release.people", dataclasses.replace(first, run="r2"), first)
    assert register.owner("release.people") == first
    register.set_owner("release.people", Owner("main.others", "job.yml", "r3"), first)
    assert register.owner("release.people") == Owner("main.others", "job.yml", "r3")


def test_show_by_beginning(register: Register, engine_url: str) -> None:
    for run in ("20260101t000000xaaaa", "20260101t000000xaabb"):
        register.start_run(run, make_job(engine_url))
    assert register.show("20260101t000000xaab").id.endswith("xaabb")
    with pytest.raises(JobError, match="more than one run"):
        register.show("20260101t000000xaa")
    with pytest.raises(JobError, match="has no run"):
        register.show("2027")
    with pytest.raises(JobError, match="has no run"):
        register.show("%")


def test_releases_are_numbered_and_stay_numbered(register: Register) -> None:
    job = "release.people"
    assert register.current_release(job) is None
    for version in (1, 2, 3):
        assert register.next_version(job) == version
        release(register, version)
    assert register.next_version("another") == 1
    current = register.current_release(job)
    assert current is not None
    assert (current.version, current.rows, current.k, current.table) == (3, 10, 2, "release.people__v3")
    assert [(r.version, r.state) for r in register.releases(job)] == [(3, CURRENT), (2, KEPT), (1, KEPT)]
    register.set_state(job, DROPPED, version=3)
    assert register.next_version(job) == 4, "a dropped release's number is not used again"


def test_beyond_keep(register: Register) -> None:
    for version in range(1, 6):
        release(register, version)
    register.set_state("release.people", ROLLED_BACK, version=4)
    assert register.beyond_keep("release.people", 4) == []
    beyond = register.beyond_keep("release.people", 2)
    assert [old.table for old in beyond] == ["release.people__v1", "release.people__v2"]
    register.dropped("release.people", "release.people__v1")
    assert [old.table for old in register.beyond_keep("release.people", 2)] == ["release.people__v2"]
    assert [r.state for r in register.releases("release.people")] == [CURRENT, ROLLED_BACK, KEPT, KEPT, DROPPED]


def test_a_version_is_taken_once(register: Register) -> None:
    release(register, 1)
    with pytest.raises(StatementFailed), register.backend.transaction():
        release(register, 1, run="other")
    assert [(r.run, r.state) for r in register.releases()] == [("r", CURRENT)], "and the transaction is undone whole"


def result(version: int = 1, run: str = "20260101t000000xaaaa") -> RunResult:
    plan = PlanResult("exhaustive", True, 0.0, 2, 12, 2, 5, {"glm": 0.25}, node={"age": 1})
    return RunResult(plan, run, "release.people", version, {"k": 2, "classes": 5, "rows": 10})


def test_publishing_is_all_or_nothing(register: Register, engine_url: str) -> None:
    job, run = make_job(engine_url), "20260101t000000xaaaa"
    register.start_run(run, job)
    table = Relation(("catalog", "release", "people__v1"))

    def interrupted() -> None:
        with register.publishing(register.backend):
            register.publish_run(run, job, result(), table)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert register.releases() == []
    assert register.show(run).status == RUNNING
    with register.publishing(register.backend):
        register.publish_run(run, job, result(), table)
    published = register.show(run)
    assert (published.status, published.node) == (PUBLISHED, {"age": 1})
    assert published.figures is not None
    assert published.figures["utility"] == {"glm": 0.25}
    assert published.timings is not None
    assert published.timings["statements"]["register/insert"]["count"] >= 1
    assert [(r.run, r.table, r.rows) for r in register.releases()] == [(run, "release.people__v1", 10)]


def test_register_elsewhere(register: Register, tmp_path: Path, engine_url: str) -> None:
    """The source and the register are two databases: a switch that fails after the register's commit is taken back."""
    source = open_backend(f"duckdb:///{tmp_path / 'source.duckdb'}", tmp_path, read_only=False)
    job = make_job(f"duckdb:///{tmp_path / 'source.duckdb'}")
    release(register, 1, run="earlier")
    run = "20260101t000000xaaaa"
    try:
        register.start_run(run, job)
        table = Relation(("source", "release", "people__v2"))
        with register.publishing(source):
            register.publish_run(run, job, result(2), table)
        current = register.current_release(job.name)
        assert current is not None
        assert current.version == 2
        register.fail_run(run, StatementFailed("the switch failed"))
    finally:
        source.close()
    assert [(r.version, r.state) for r in register.releases()] == [(2, DROPPED), (1, CURRENT)]
    assert (register.show(run).status, register.show(run).error) == (FAILED, "the switch failed")


def test_failing_says_no_values(register: Register, engine_url: str) -> None:
    register.start_run("20260101t000000xaaaa", make_job(engine_url))
    register.fail_run("20260101t000000xaaaa", ValueError("patient Smith is 37"))
    assert register.show("20260101t000000xaaaa").error == "ValueError"


def test_failing_on_a_lost_connection_is_quiet(engine_url: str) -> None:
    backend = open_backend(engine_url, Path.cwd(), read_only=False)
    register = Register(backend)
    register.ensure()
    backend.close()
    register.fail_run("20260101t000000xaaaa", KeyboardInterrupt())


def test_frontiers(register: Register) -> None:
    assert register.load_frontier("r1") is None
    register.save_frontier("r1", {"points": [{"k": 2, "loss": 0.5}]})
    register.save_frontier("r1", {"points": [{"k": 3, "loss": 0.5}]})
    assert register.load_frontier("r1") == {"points": [{"k": 3, "loss": 0.5}]}


def test_open_register_shares_or_opens(engine_url: str, tmp_path: Path) -> None:
    with_own = make_job(engine_url, f'register: {{url: "duckdb:///{tmp_path / "other.duckdb"}", schema: elsewhere}}')
    backend = open_backend(engine_url, tmp_path, read_only=False)
    try:
        with open_register(make_job(engine_url), backend) as shared:
            assert shared.backend is backend
            assert shared.engine == backend.version()
        with open_register(with_own, backend) as own:
            assert own.backend is not backend
            assert own.names.schema == "elsewhere"
            own.start_run("20260101t000000xaaaa", with_own)
            assert any("elsewhere" in entry.sql for entry in backend.trace.entries), "one trace tells of both"
        backend.fetch(Statement("test", "select 1"))
    finally:
        backend.close()
    assert (tmp_path / "other.duckdb").exists()


def test_same_database(tmp_path: Path) -> None:
    assert same_database("duckdb:///a.duckdb", f"duckdb:///{tmp_path}/a.duckdb", tmp_path)
    assert not same_database("duckdb:///a.duckdb", "duckdb:///b.duckdb", tmp_path)
    assert not same_database("duckdb:///:memory:", "duckdb:///", tmp_path)
    assert same_database("postgresql://u@h/d", "postgresql+psycopg://u@h/d", tmp_path)
    assert not same_database("postgresql://u@h/d", "duckdb:///d", tmp_path)


def test_no_password_is_registered(register: Register) -> None:
    secret = "s3cr:e/t@pw"
    job = make_job(
        f"postgresql+psycopg://me:{secret}@db.example/x?sslpassword=zzz9",
        'register: {url: "postgresql://me:other-Pw1@db.example/y"}',
    )
    register.secrets = (secret, "other-Pw1")
    register.start_run("20260101t000000xaaaa", job)
    register.finish_run("20260101t000000xaaaa", FAILED, error=f"cannot log in with {secret} or password=hunter2")
    text = json.dumps(register.show("20260101t000000xaaaa").to_dict())
    for word in (secret, "other-Pw1", "zzz9", "hunter2", "e/t"):
        assert word not in text
    assert "db.example" in text


def test_run_ids_sort_and_fit_a_name() -> None:
    ids = [new_run_id() for _ in range(100)]
    assert len(set(ids)) > 95
    assert all(run.isalnum() and run.islower() and run.isascii() and len(run) <= 24 for run in ids)


def test_two_programs_migrate_at_once(postgres_url: str) -> None:
    """Both succeed; the second waits for the first and finds nothing to do."""
    applied: list[object] = []

    def ensure() -> None:
        backend = open_backend(postgres_url, Path.cwd(), read_only=False)
        try:
            applied.append(Register(backend).ensure())
        except Exception as error:
            applied.append(error)
        finally:
            backend.close()

    threads = [threading.Thread(target=ensure) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(applied, key=len) == [[], [], [], known_revisions()]  # type: ignore[arg-type]


def test_no_permission_is_said(postgres_url: str) -> None:
    admin = open_backend(postgres_url, Path.cwd(), read_only=False)
    role = f"reader_{new_run_id()}"
    try:
        admin.execute(Statement("test", f"create role {role} login"))
        user_url = postgres_url.replace("postgres@", f"{role}@").replace("postgres:", f"{role}:")
        if role not in user_url:
            pytest.skip("the server's URL does not name the user postgres")
        reader = open_backend(user_url, Path.cwd(), read_only=False)
        try:
            with pytest.raises(PermissionDenied, match="create_schema"):
                Register(reader).ensure()
        finally:
            reader.close()
    finally:
        admin.execute(Statement("test", f"drop role {role}"))
        admin.close()


def test_alembic_is_imported_only_to_migrate(tmp_path: Path) -> None:
    program = (
        "import sys\nfrom pathlib import Path\nfrom kanon_sql.release.register_place import register_at\n"
        f"opened = register_at('duckdb:///{tmp_path}/a.duckdb', 'kanon', Path('.'), read_only=False)\n"
        "opened.ensure(); opened.history()\n"
        "print('alembic' in sys.modules, 'sqlalchemy' in sys.modules)"
    )
    seen = [
        subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout.split()
        for _ in range(2)
    ]
    assert seen == [["True", "True"], ["False", "False"]]
