"""Commands about the register: history, show, migrate."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

from kanon_sql.cli.output import Debug, Json, Set, observed, print_json, print_table
from kanon_sql.release.entries import ReleaseEntry, RunEntry
from kanon_sql.release.register import Register

JobArgument = Annotated[
    Path | None,
    typer.Argument(metavar="JOB", help="The job file whose register is meant; default: the one in this folder."),
]
Url = Annotated[str | None, typer.Option("--url", help="The database that holds the register, instead of a job file.")]
Schema = Annotated[str, typer.Option("--schema", help="The register's schema, with --url.")]


def register(app: typer.Typer) -> None:
    app.command()(history)
    app.command()(show)
    app.command()(migrate)


def history(
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    limit: Annotated[int, typer.Option("--limit", min=1, help="How many runs.")] = 50,
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """List runs and releases, newest first: of a job, or of every job in a database (--url)."""
    with _register(job, url, schema, set_, debug) as (opened, name):
        there = opened.readable()
        runs = opened.history(name, limit) if there else []
        releases = {release.run: release for release in opened.releases(name)} if there else {}
    if json:
        print_json({"runs": [_run_json(run, releases.get(run.id)) for run in runs]})
        return
    if not runs:
        print("no runs are registered" + (f" for {name}" if name else ""))
        return
    print_table(
        ["run", "job", "started (UTC)", "seconds", "status", "algorithm", "k", "rows", "version", "state"],
        [_run_row(run, releases.get(run.id)) for run in runs],
    )


def show(
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run's id, or the beginning of it.")],
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Show one run: its parameters, its choice, its figures, its timings, its release."""
    from kanon_sql.errors import JobError

    with _register(job, url, schema, set_, debug) as (opened, _):
        if not opened.readable():
            raise JobError("there is no register yet, so there is no such run", "`kanon run JOB` makes it")
        entry = opened.show(run)
        found = opened.releases(run=entry.id)
    release = found[0] if found else None
    if json:
        print_json(_run_json(entry, release, whole=True))
        return
    _show_run(entry, release)


def migrate(
    job: JobArgument = None,
    url: Url = None,
    schema: Schema = "kanon",
    set_: Set = [],  # noqa: B006
    json: Json = False,
    debug: Debug = False,
) -> None:
    """Bring the register's tables to this version; make them if there are none."""
    from kanon_sql.release.migrate import known_revisions

    with _register(job, url, schema, set_, debug, read_only=False) as (opened, _):
        applied = opened.ensure()
        where = str(opened.names.schema)
    newest = known_revisions()[-1]
    if json:
        print_json({"schema": where, "revision": newest, "applied": applied})
    elif applied:
        print(f"the register in schema {where} is now at revision {newest} (applied {', '.join(applied)})")
    else:
        print(f"the register in schema {where} is at revision {newest}: nothing to do")


@contextmanager
def _register(
    job: Path | None, url: str | None, schema: str, overrides: list[str], debug: bool, read_only: bool = True
) -> Iterator[tuple[Register, str | None]]:
    """The register a job file or a URL names, and the job's name; an older one is migrated before it is read."""
    from kanon_sql.config.load import load_job
    from kanon_sql.release.register import register_at

    if job is not None and url is not None:
        raise typer.BadParameter("name either a job file or --url, not both")
    if job is None and url is None:
        job, url = _default()
    name = None
    base = Path.cwd()
    if job is not None:
        loaded = load_job(job, overrides)
        url, schema, base = loaded.register_at.url or loaded.url, loaded.register_at.schema_name, loaded.base
        name = loaded.name
    assert url is not None
    with observed(quiet=True, debug=debug) as observer:
        opened = register_at(url, schema, base, read_only=read_only)
        opened.backend.trace.listener = observer.statement
        try:
            if read_only and opened.outdated():
                opened.close()
                opened = register_at(url, schema, base, read_only=False)
                opened.backend.trace.listener = observer.statement
                opened.ensure()
            yield opened, name
        finally:
            opened.close()


def _default() -> tuple[Path | None, str | None]:
    """What is meant when neither is named: KANON_REGISTER, KANON_URL, or the one job file in this folder."""
    if url := os.environ.get("KANON_REGISTER") or os.environ.get("KANON_URL"):
        return None, url
    return only_job(), None


def only_job() -> Path:
    """The one job file in this folder."""
    files = [file for pattern in ("*.yml", "*.yaml") for file in Path.cwd().glob(pattern) if _is_job(file)]
    if len(files) == 1:
        return files[0]
    found = "no job file" if not files else f"{len(files)} job files"
    raise typer.BadParameter(f"there is {found} in this folder: name a job file, or --url")


def _is_job(file: Path) -> bool:
    text = file.read_text(encoding="utf-8", errors="replace")
    return all(re.search(rf"^{key}:", text, re.MULTILINE) for key in ("version", "source", "privacy", "columns"))


def _run_row(run: RunEntry, release: ReleaseEntry | None) -> list[object]:
    figures = run.figures or {}
    return [
        run.id,
        run.job,
        f"{run.started:%Y-%m-%d %H:%M:%S}",
        None if run.seconds is None else round(run.seconds, 1),
        run.status,
        run.algorithm,
        figures.get("k"),
        release.rows if release else None,
        release.version if release else None,
        release.state if release else None,
    ]


def _run_json(run: RunEntry, release: ReleaseEntry | None, whole: bool = False) -> dict[str, Any]:
    document = run.as_json()
    document["seconds"] = run.seconds
    if not whole:
        for key in ("parameters", "figures", "timings"):
            document.pop(key)
        document["k"] = (run.figures or {}).get("k")
    document["release"] = release.as_json() if release else None
    return document


def _show_run(run: RunEntry, release: ReleaseEntry | None) -> None:
    print(f"run {run.id} of {run.job}: {run.status}")
    ended = f", ended {run.ended:%Y-%m-%d %H:%M:%S} ({run.seconds:.1f} s)" if run.ended else ""
    print(f"started {run.started:%Y-%m-%d %H:%M:%S} UTC{ended}")
    print(f"by {run.account} on {run.host}, process {run.pid}, {run.program}, {run.engine or 'engine unknown'}")
    if run.error:
        print(f"error: {run.error}")
    if release:
        print(
            f"release {release.view} version {release.version}: {release.rows:,} rows, k = {release.k}, "
            f"{release.state}, table {release.table}"
        )
    figures = run.figures or {}
    for key in ("algorithm", "exact", "k", "rows", "suppressed", "classes", "checks", "nodes", "statements"):
        if key in figures:
            print(f"{key}: {figures[key]}")
    for name, value in (figures.get("utility") or {}).items():
        print(f"{name}: {value:.6f}")
    if run.node:
        print()
        print_table(["column", "level"], list(run.node.items()))
    steps = (run.timings or {}).get("statements") or {}
    if steps:
        print()
        slowest = sorted(steps.items(), key=lambda item: -item[1]["seconds"])[:10]
        print_table(["step", "statements", "seconds"], [[name, s["count"], s["seconds"]] for name, s in slowest])
